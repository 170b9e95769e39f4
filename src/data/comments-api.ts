/** Reading comments. Types only. */
import type { CommentView, Live, Loaded } from "./client-api";

export interface CommentsPage {
  /** Newest first; what waits to be sent stands among them. */
  items: CommentView[];
  /** Whether there are older ones than these. */
  hasMore: boolean;
  /** Some are not on this device, and the server cannot be asked for them now. */
  incomplete: boolean;
}

export interface CommentReads {
  /** The newest `limit` comments on a medium. The server is asked once, and again after a failure. */
  watchComments(mediaId: string, limit: number): Live<Loaded<CommentsPage>>;
}
