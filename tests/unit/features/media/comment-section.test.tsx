// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import { mediaView } from "@tests/unit/state/support";
import { MemoryRouter } from "react-router-dom";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CommentSection } from "@/features/media/comment-section";
import { loadLaterTexts, startTexts } from "@/i18n/setup";
import { type Comments, useComments, useParent } from "@/state/media";

vi.mock("@/state/media");

beforeEach(async () => {
  await startTexts("en");
  await loadLaterTexts();
  const page = { state: "ready", value: { items: [], hasMore: false, incomplete: false } };
  vi.mocked(useComments).mockReturnValue({ page } as unknown as Comments);
  vi.mocked(useParent).mockReturnValue("");
});
afterEach(cleanup);

function show(commentsClosed: boolean): void {
  render(
    <MemoryRouter>
      <CommentSection
        media={mediaView({ commentsClosed })}
        viewer={{ id: "ada000000000000", isAdmin: false }}
      />
    </MemoryRouter>,
  );
}

test("where there are no comments one is asked to write the first", () => {
  show(false);
  expect(screen.getByTestId("no-comments").textContent).toContain("Write the first");
  expect(screen.getByTestId("comment-form")).toBeTruthy();
  expect(screen.queryByTestId("comments-closed")).toBeNull();
});

test("where they are closed nobody is asked to write one", () => {
  show(true);
  expect(screen.getByTestId("comments-closed")).toBeTruthy();
  expect(screen.queryByTestId("no-comments")).toBeNull();
  expect(screen.queryByTestId("comment-form")).toBeNull();
});
