/** Who may do what, as the screens show it (specification §6). The server's rules decide. */
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
  deleteComment: (viewer: Viewer | null, comment: Owned): boolean =>
    viewer !== null && (viewer.isAdmin || viewer.id === comment.userId),
};
