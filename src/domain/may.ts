/** Who may do what, as the screens show it (specification §6). The server's rules decide. */
import { COMMENT_EDIT_MS } from "./limits";

export interface Viewer {
  id: string;
  isAdmin: boolean;
}
interface Owned {
  userId: string;
}

export const may = {
  deleteMedia: (viewer: Viewer | null, media: Owned): boolean =>
    viewer !== null && (viewer.isAdmin || viewer.id === media.userId),
  editMedia: (viewer: Viewer | null, media: Owned): boolean => viewer?.id === media.userId,
  reportMedia: (viewer: Viewer | null, media: Owned): boolean =>
    viewer !== null && viewer.id !== media.userId,
  /** `now`: of the server's clock, as well as the device knows it. */
  editComment: (viewer: Viewer | null, comment: Owned & { createdAt: number }, now: number) =>
    viewer?.id === comment.userId && now - comment.createdAt < COMMENT_EDIT_MS,
  /** `ownerId`: whose medium it is on. */
  deleteComment: (viewer: Viewer | null, comment: Owned, ownerId: string): boolean =>
    viewer !== null && (viewer.isAdmin || [comment.userId, ownerId].includes(viewer.id)),
};
