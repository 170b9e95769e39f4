// @vitest-environment happy-dom
import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Avatar, PICTURE_TIMEOUT_MS } from "@/ui/avatar";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  document.body.innerHTML = "";
});

const face = () => screen.queryByTestId("face");

test("the letter stands there at once, and the picture over it when it is whole", () => {
  const { container } = render(<Avatar name="ada.l" src="/ada.jpg" />);
  expect(container.textContent).toBe("a");
  expect(face()?.className).toContain("opacity-0");
  fireEvent.load(face() as HTMLElement);
  expect(face()?.className).not.toContain("opacity-0");
  act(() => vi.advanceTimersByTime(PICTURE_TIMEOUT_MS * 2));
  expect(face()).not.toBeNull();
});

test("a picture that fails, or takes longer than three seconds, leaves the letter", () => {
  const { container, rerender } = render(<Avatar name="ada.l" src="/slow.jpg" />);
  act(() => vi.advanceTimersByTime(PICTURE_TIMEOUT_MS - 1));
  expect(face()).not.toBeNull();
  act(() => vi.advanceTimersByTime(1));
  expect(face()).toBeNull();
  rerender(<Avatar name="ada.l" src="/broken.jpg" />);
  fireEvent.error(face() as HTMLElement);
  expect(face()).toBeNull();
  expect(container.textContent).toBe("a");
});
