// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { Field, Input } from "@/ui/field";

afterEach(cleanup);

test("label, hint and error are tied to the control", () => {
  render(
    <Field label="Email" hint="Nobody sees it" error="Email is required">
      {(control) => <Input {...control} />}
    </Field>,
  );
  const input = screen.getByLabelText("Email");
  expect(input.getAttribute("aria-invalid")).toBe("true");
  const described = (input.getAttribute("aria-describedby") ?? "").split(" ");
  const texts = described.map((id) => document.getElementById(id)?.textContent);
  expect(texts.sort()).toEqual(["Email is required", "Nobody sees it"]);
  expect(screen.getByRole("alert").textContent).toBe("Email is required");
});

test("without a fault the control is not called invalid", () => {
  render(<Field label="Email">{(control) => <Input {...control} />}</Field>);
  expect(screen.getByLabelText("Email").getAttribute("aria-invalid")).toBe("false");
});
