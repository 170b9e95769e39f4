// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, expect, test } from "vitest";
import { loadLaterTexts, startTexts } from "@/i18n/setup";
import { Unreachable } from "@/ui/unreachable";

beforeAll(async () => {
  await startTexts("en");
  await loadLaterTexts();
});
afterEach(cleanup);

test.each([
  ["network", "You're offline", "It will show up once you're online."],
  ["timeout", "This couldn't be loaded", "The server took too long."],
  ["server", "This couldn't be loaded", "Something went wrong on our server."],
])("what %s kept from coming says whose trouble it is", (code, title, text) => {
  render(<Unreachable testId="trouble" code={code} />);
  const said = screen.getByTestId("trouble").textContent;
  expect(said).toContain(title);
  expect(said).toContain(text);
});
