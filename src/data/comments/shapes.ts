/** What screens show of comments. Types only. */
import type { PendingMark } from "@/data/shapes";

export interface CommentView {
  id: string;
  mediaId: string;
  userId: string;
  username: string;
  text: string;
  /** The comment that it answers; "" for none. */
  parentId: string;
  /** How many answer it, with what waits to be sent. */
  replies: number;
  likes: number;
  /** By the signed-in person. */
  liked: boolean;
  /** Its text was changed after it was written. */
  isEdited: boolean;
  createdAt: number;
  pending: PendingMark | null;
}

export type CommentOrder = "newest" | "liked";

export interface CommentsPage {
  /** Newest first, of replies oldest first; with what waits to be sent among them. */
  items: CommentView[];
  hasMore: boolean;
  /** Some are not on this device, and the server cannot be asked for them now. */
  incomplete: boolean;
}
