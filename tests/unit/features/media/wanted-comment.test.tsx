// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import { mediaView } from "@tests/unit/state/support";
import { MemoryRouter } from "react-router-dom";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { CommentView } from "@/data/comments/shapes";
import { CommentSection } from "@/features/media/comment-section";
import { startTexts } from "@/i18n/setup";
import { type Comments, useComments, useParent } from "@/state/media";

vi.mock("@/state/media");

const showMore = vi.fn();
const comment = (id: string): CommentView => ({
  id,
  mediaId: "media0000000001",
  userId: "ben000000000000",
  username: "ben",
  text: `Number ${id}`,
  parentId: "",
  replies: 0,
  likes: 0,
  liked: false,
  isEdited: false,
  createdAt: 0,
  pending: null,
});

/** As many as there are, and more behind them, of which none is the one that is wanted. */
function show(count: number, last = "c"): void {
  const items = Array.from({ length: count }, (_, i) => comment(`${last}${i}`));
  const page = { state: "ready", value: { items, hasMore: true, incomplete: false } };
  vi.mocked(useComments).mockReturnValue({ page, showMore, retry: vi.fn() } as unknown as Comments);
}

const section = () => (
  <MemoryRouter initialEntries={["/view/media0000000001?comment=wanted0"]}>
    <CommentSection
      media={mediaView({ id: "media0000000001", userId: "ada000000000000" })}
      viewer={{ id: "ada000000000000", isAdmin: false }}
    />
  </MemoryRouter>
);

let grow: () => void;

beforeEach(async () => {
  await startTexts("en");
  vi.mocked(useParent).mockReturnValue("");
  const observer = class {
    constructor(told: () => void) {
      grow = told;
    }
    observe = () => grow();
    disconnect = () => undefined;
  };
  vi.stubGlobal("ResizeObserver", observer);
});
afterEach(() => {
  cleanup();
  vi.resetAllMocks();
  vi.unstubAllGlobals();
});

test("the comment that an address names is looked for among three hundred", () => {
  show(30);
  const { rerender } = render(section());
  for (let count = 60; count <= 360; count += 30) {
    show(count);
    rerender(section());
  }
  expect(showMore).toHaveBeenCalledTimes(9);
});

test("it has the focus once it is there, and not while somebody writes", () => {
  show(1, "wanted");
  render(section());
  const item = screen.getByTestId("comment");
  expect(document.activeElement).toBe(item);
  screen.getByTestId("comment-text").focus();
  grow();
  expect(document.activeElement).toBe(screen.getByTestId("comment-text"));
});

test("a reply that an address names stands under its comment, which is looked for, and is open", () => {
  vi.mocked(useParent).mockReturnValue("c0");
  show(1, "other");
  const { rerender } = render(section());
  expect(showMore).toHaveBeenCalledOnce();
  vi.mocked(useComments).mockImplementation((_, parentId = "") => {
    const reply = { ...comment("wanted0"), parentId: "c0" };
    const items = parentId === "" ? [{ ...comment("c0"), replies: 1 }] : [reply];
    const page = { state: "ready", value: { items, hasMore: false, incomplete: false } };
    return { page, showMore, retry: vi.fn() } as unknown as Comments;
  });
  rerender(section());
  const named = screen
    .getAllByTestId("comment")
    .find((item) => item.getAttribute("aria-current") === "true");
  expect(named?.dataset["commentId"]).toBe("wanted0");
  expect(document.activeElement).toBe(named);
  expect(screen.getByTestId("show-replies").getAttribute("aria-expanded")).toBe("true");
});
