/** The specification's named operations (§7), as the client offers them. Types only. */
import type { ErrorCode } from "@/domain/error-codes";
import type { CommentView, MediaView, PreparedMedia, ProfileView } from "./shapes";

/** What the specification's operations (§7) answer. On failure a list is empty and a count is 0. */
export interface Served {
  success: boolean;
  error: ErrorCode | null;
  /** The server's own sentence, where it sent one. */
  message: string;
}
export interface ServedList<T> extends Served {
  items: T[];
  /** True when as many as asked for came back (specification §9). */
  hasMore: boolean;
}
export interface ServedCount extends Served {
  count: number;
}
export interface ServedFlag extends Served {
  value: boolean;
}
/** `value` is null on failure and for what does not exist; `success` tells the two apart. */
export interface ServedOne<T> extends Served {
  value: T | null;
}

export interface ProfileChanges {
  username?: string;
  bio?: string;
  /** A picture with its thumbnail; the server detects its type. */
  picture?: { file: Blob; thumbnail: Blob | null };
}

/** The part of a prepared medium that a chat sends. */
export type ChatPhoto = Pick<
  PreparedMedia,
  "file" | "thumbnail" | "contentType" | "originalFilename"
>;

/**
 * The specification's named operations (§7). Reads ask the server and fall back on what is on this device;
 * writes are queued where they can wait. They act as the signed-in user.
 */
export interface ClientService {
  getUser(userId: string): Promise<ServedOne<ProfileView>>;
  getUserIdByUsername(username: string): Promise<ServedOne<string>>;
  isUsernameTaken(username: string): Promise<ServedFlag>;
  /** Newest first; asks for ten more than `count`, of which `hasMore` knows. */
  getLatestMedia(count?: number): Promise<ServedList<MediaView>>;
  getUserMedia(userId: string, count?: number, offset?: number): Promise<ServedList<MediaView>>;
  getMedia(mediaId: string): Promise<ServedOne<MediaView>>;
  countUserMedia(userId: string): Promise<ServedCount>;
  /** Newest first. */
  listComments(mediaId: string): Promise<ServedList<CommentView>>;
  isLiked(mediaId: string): Promise<ServedFlag>;
  isFollowing(userId: string): Promise<ServedFlag>;
  isBlocked(userId: string): Promise<ServedFlag>;
  /** Messages, not conversations (resolution 37). */
  getUnreadChatCount(): Promise<ServedCount>;
  addComment(mediaId: string, text: string): Promise<ServedOne<{ commentId: string }>>;
  deleteComment(mediaId: string, commentId: string): Promise<Served>;
  likeMedia(mediaId: string): Promise<Served>;
  unlikeMedia(mediaId: string): Promise<Served>;
  deleteMedia(mediaId: string): Promise<Served>;
  recordView(mediaId: string): Promise<Served>;
  reportMedia(mediaId: string, reason: string): Promise<Served>;
  followUser(userId: string): Promise<Served>;
  unfollowUser(userId: string): Promise<Served>;
  /** Also ends the blocker's follow (specification §4). */
  blockUser(userId: string): Promise<Served>;
  unblockUser(userId: string): Promise<Served>;
  /** Asked at once; without an answer it is queued before what is then written. */
  createOrGetConversation(userId: string): Promise<ServedOne<{ conversationId: string }>>;
  sendTextMessage(conversationId: string, text: string): Promise<ServedOne<{ messageId: string }>>;
  /** `photo` is made ready like an upload: checked, and without its camera data. */
  sendPhotoMessage(
    conversationId: string,
    photo: ChatPhoto,
    text?: string,
  ): Promise<ServedOne<{ messageId: string }>>;
  deleteMessage(conversationId: string, messageId: string): Promise<Served>;
  /** The other's messages are read now; announced as `messages-read`. */
  markMessagesRead(conversationId: string): Promise<Served>;
  /** Sends only what is given. Without an answer it is queued. */
  updateProfile(changes: ProfileChanges): Promise<Served>;
  deleteProfilePicture(): Promise<Served>;
  /** Admins. `revision` is the one that was read; a stale one is `conflict`. */
  saveSettings(id: "terms" | "privacy", content: string, revision?: number): Promise<Served>;
  /**
   * The default data loader: GET of the key's first element as JSON. Throws `{status}: {body}` for what is not
   * ok; with "null", a 401 is null.
   */
  loadData(
    key: readonly [path: string, ...rest: unknown[]],
    on401?: "throw" | "null",
  ): Promise<unknown>;
}
