import { expect, test } from "vitest";
import { may, type Viewer } from "@/domain/may";

const owner: Viewer = { id: "owner", isAdmin: false };
const other: Viewer = { id: "other", isAdmin: false };
const admin: Viewer = { id: "admin", isAdmin: true };
const thing = { userId: "owner" };

/** Specification §6: actor, act, answer. */
test.each([
  [
    "a visitor",
    null,
    { deleteMedia: false, editMedia: false, reportMedia: false, deleteComment: false },
  ],
  [
    "the owner",
    owner,
    { deleteMedia: true, editMedia: true, reportMedia: false, deleteComment: true },
  ],
  [
    "somebody else",
    other,
    { deleteMedia: false, editMedia: false, reportMedia: true, deleteComment: false },
  ],
  [
    "an administrator",
    admin,
    { deleteMedia: true, editMedia: false, reportMedia: true, deleteComment: true },
  ],
] as const)("what %s may do with another's media and comments", (_who, viewer, answers) => {
  const asked = {
    deleteMedia: may.deleteMedia(viewer, thing),
    editMedia: may.editMedia(viewer, thing),
    reportMedia: may.reportMedia(viewer, thing),
    deleteComment: may.deleteComment(viewer, thing, "somebody"),
  };
  expect(asked).toEqual(answers);
});

test("whoever owns the medium may delete what others wrote on it", () => {
  expect(may.deleteComment(other, thing, other.id)).toBe(true);
  expect(may.deleteComment(null, thing, "")).toBe(false);
});
