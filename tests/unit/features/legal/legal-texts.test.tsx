// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LegalTexts } from "@/features/legal/legal-texts";
import { loadLaterTexts, startTexts } from "@/i18n/setup";
import { useConnection } from "@/state/outbox";
import { useSettings } from "@/state/page";

vi.mock("@/state/page");
vi.mock("@/state/outbox");

beforeEach(async () => {
  await startTexts("en");
  await loadLaterTexts();
});
afterEach(() => {
  cleanup();
  vi.resetAllMocks();
});

const notice = () => screen.queryByTestId("legal-none-terms")?.lastElementChild?.textContent;

test("that a text is missing is said once the device was asked, also without a connection", () => {
  vi.mocked(useConnection).mockReturnValue("offline");
  vi.mocked(useSettings).mockReturnValue({ state: "loading" });
  const { rerender } = render(<LegalTexts first="terms" />);
  expect(notice()).toBeUndefined();
  expect(screen.getAllByRole("status")).toHaveLength(2);
  vi.mocked(useSettings).mockReturnValue({ state: "failed", code: "network" });
  rerender(<LegalTexts first="terms" />);
  expect(notice()).toContain("This text isn't on this device yet.");
});

test("the administrator is asked for a text that the server does not have", () => {
  vi.mocked(useConnection).mockReturnValue("offline");
  vi.mocked(useSettings).mockReturnValue({
    state: "ready",
    value: { content: " ", lastUpdated: null },
  });
  render(<LegalTexts first="terms" />);
  expect(notice()).toContain("The administrator can add these in the admin panel.");
});
