// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CommentForm } from "@/features/media/comment-form";
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
  expect(addComment).toHaveBeenCalledExactlyOnceWith("media0000000001", "First", "");
  expect(box().value).toBe("");
  fireEvent.submit(screen.getByTestId("comment-form"));
  expect(addComment).toHaveBeenCalledOnce();
  type("Second");
  await act(async () => answer(true));
  expect(box().value).toBe("Second");
  fireEvent.submit(screen.getByTestId("comment-form"));
  type("Third");
  fireEvent.submit(screen.getByTestId("comment-form"));
  expect(addComment).toHaveBeenLastCalledWith("media0000000001", "Third", "");
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

const ben = { id: "comment00000001", parentId: "", username: "ben" };

test("a reply goes to the comment, has a draft of its own, and has the focus", async () => {
  render(<CommentForm mediaId="media0000000001" />);
  type("Half a comment");
  cleanup();
  const onSent = vi.fn();
  render(<CommentForm mediaId="media0000000001" to={ben} onSent={onSent} />);
  expect(box().value).toBe("");
  expect(document.activeElement).toBe(box());
  type("Me too");
  fireEvent.submit(screen.getByTestId("reply-form"));
  expect(addComment).toHaveBeenCalledExactlyOnceWith("media0000000001", "Me too", ben.id);
  await act(async () => answer(false));
  expect(onSent).not.toHaveBeenCalled();
  expect(box().value).toBe("Me too");
  fireEvent.submit(screen.getByTestId("reply-form"));
  await act(async () => answer(true));
  expect(onSent).toHaveBeenCalledOnce();
});

test("a reply to a reply names whom it answers, once, under the same comment", () => {
  const cyd = { id: "comment00000002", parentId: ben.id, username: "cyd" };
  const { rerender } = render(<CommentForm mediaId="media0000000001" to={cyd} />);
  expect(box().value).toBe("@cyd ");
  type("@cyd Same here");
  rerender(<CommentForm mediaId="media0000000001" to={{ ...cyd, id: "comment00000003" }} />);
  expect(box().value).toBe("@cyd Same here");
  fireEvent.submit(screen.getByTestId("reply-form"));
  expect(addComment).toHaveBeenLastCalledWith("media0000000001", "@cyd Same here", ben.id);
});
