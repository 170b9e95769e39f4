// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CommentForm } from "@/features/media/comment-section";
import { startTexts } from "@/i18n/setup";
import { addComment } from "@/state/media";

vi.mock("@/state/media");

let answer: (isKept: boolean) => void;

beforeEach(async () => {
  await startTexts("en");
  vi.mocked(addComment).mockImplementation(
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  );
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.resetAllMocks();
});

const box = () => screen.getByTestId<HTMLTextAreaElement>("comment-text");
const type = (value: string) => fireEvent.change(box(), { target: { value } });

test("what is typed while a comment is being kept stays in the box, and can be sent at once", async () => {
  render(<CommentForm mediaId="media0000000001" />);
  type("First");
  fireEvent.submit(screen.getByTestId("comment-form"));
  expect(addComment).toHaveBeenCalledExactlyOnceWith("media0000000001", "First");
  expect(box().value).toBe("");
  fireEvent.submit(screen.getByTestId("comment-form"));
  expect(addComment).toHaveBeenCalledOnce();
  type("Second");
  await act(async () => answer(true));
  expect(box().value).toBe("Second");
  fireEvent.submit(screen.getByTestId("comment-form"));
  type("Third");
  fireEvent.submit(screen.getByTestId("comment-form"));
  expect(addComment).toHaveBeenLastCalledWith("media0000000001", "Third");
  expect(addComment).toHaveBeenCalledTimes(3);
  expect(box().value).toBe("");
});

test("a comment for which the device has no room is in the box again, before what was typed since", async () => {
  render(<CommentForm mediaId="media0000000001" />);
  type("First");
  fireEvent.submit(screen.getByTestId("comment-form"));
  type("Second");
  await act(async () => answer(false));
  expect(box().value).toBe("First\nSecond");
});

test("what was written and not sent is in the box again after leaving, and not once it is sent", async () => {
  const first = render(<CommentForm mediaId="media0000000001" />);
  type("Half a");
  first.unmount();
  const other = render(<CommentForm mediaId="media0000000002" />);
  expect(box().value).toBe("");
  other.unmount();
  const again = render(<CommentForm mediaId="media0000000001" />);
  expect(box().value).toBe("Half a");
  fireEvent.submit(screen.getByTestId("comment-form"));
  await act(async () => answer(true));
  again.unmount();
  render(<CommentForm mediaId="media0000000001" />);
  expect(box().value).toBe("");
});
