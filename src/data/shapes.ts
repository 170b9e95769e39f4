/** Plain values that screens show and ask with. Types only. */
import type { ErrorCode } from "@/domain/error-codes";
import type { MediaKind } from "@/domain/media-files";
import type { NotificationKind } from "@/domain/notifications";
import type { Result } from "@/domain/result";

/** A changing value for `useSyncExternalStore`; the snapshot is one object until a change. */
export interface Live<T> {
  subscribe: (onChange: () => void) => () => void;
  getSnapshot: () => T;
  /** The snapshot is of an earlier watch, and the source has not told its value since. */
  isStale?: () => boolean;
}

/** Loading, failed and ready are three things; an empty list is ready (law 4). */
export type Loaded<T> =
  | { state: "loading" }
  | { state: "ready"; value: T }
  | { state: "failed"; code: ErrorCode };

/**
 * `waiting`: no connection, or until its next try; `paused`: until a sign-in, or until the person
 * resumes it (`held`); `acked`: sent, but not pulled back yet.
 */
export type IntentState = "queued" | "waiting" | "sending" | "paused" | "refused" | "acked";

export interface PendingMark {
  intentId: string;
  state: IntentState;
  /** Percent, 0 to 100, of an upload; 0 otherwise. */
  progress: number;
  /** Why, for `refused` and for `waiting` after a failed try. */
  code: ErrorCode | null;
}

/** A medium as a screen shows it: the server's row with the pending intents laid on top. */
export interface MediaView {
  id: string;
  userId: string;
  username: string;
  caption: string;
  tags: string[];
  type: MediaKind;
  /**
   * The file, its 300x300 thumbnail and the feed's preview. The last two fall back to `url` for
   * photos and to "" for videos.
   */
  url: string;
  thumbnailUrl: string;
  previewUrl: string;
  /** A WebVTT file; "" when there is none. */
  subtitlesUrl: string;
  /** What it will be once a queued change is sent. */
  hasSubtitles: boolean;
  /** Pixels; 0 when unknown. */
  width: number;
  height: number;
  /** Seconds; 0 for photos and when unknown. */
  duration: number;
  /** Base64, "" when there is none. */
  thumbhash: string;
  alt: string;
  originalFilename: string;
  /** Bytes. */
  fileSize: number;
  contentType: string;
  likes: number;
  comments: number;
  /** Nobody may write any, as it will be once a queued change is sent. */
  commentsClosed: boolean;
  views: number;
  liked: boolean;
  /** The post that it is part of, "" for a medium by itself, and its place there, 0 to 9. */
  post: string;
  postIndex: number;
  /**
   * In a list, of the first of several media of one post: all of them that are in the list, in the
   * order of the post. The others have no entry of their own.
   */
  members?: readonly MediaView[];
  /** Milliseconds since 1970. */
  createdAt: number;
  updatedAt: number;
  /** Set while an upload of it, or a change to it, has not come back from the server. */
  pending: PendingMark | null;
}

/** What happened on one day to one thing. */
export interface NotificationView {
  /** Stays when more of the same comes, or some of it goes. */
  key: string;
  kind: NotificationKind;
  /** The newest two of those who did it; `username` is "" where it is not known here. */
  people: { id: string; username: string; thumbnailUrl: string }[];
  /** How many did it. */
  count: number;
  mediaId: string;
  /** Null where the medium is not on this device. */
  type: MediaKind | null;
  thumbnailUrl: string;
  commentId: string;
  caption: string;
  /** Of a report: "resolved" or "dismissed"; otherwise "". */
  outcome: string;
  /** Of a removal or a warning, in an admin's words. */
  reason: string;
  createdAt: number;
  /** Of the events behind it. */
  ids: string[];
  isUnread: boolean;
}

export interface NotificationsPage {
  items: NotificationView[];
  hasMore: boolean;
  /** Events that one has not read, also of what is not among the items. */
  unread: string[];
  /** When the newest of them was made, milliseconds; 0 where there is none. */
  newestUnread: number;
}

export interface ProfileView {
  id: string;
  username: string;
  bio: string;
  profilePictureUrl: string;
  profileThumbnailUrl: string;
  followers: number;
  following: number;
  mediaCount: number;
  /** Suspended by an operator. */
  isBlocked: boolean;
  createdAt: number;
  pending: PendingMark | null;
  /** Only id and name are known: the rest could not be asked for, and stands at nothing. */
  isPartial?: true;
}

export interface SessionUser {
  id: string;
  email: string;
  username: string;
  isAdmin: boolean;
  /** An admin has closed the chat for this account: it reads, and sends nothing. */
  chatDisabled?: true;
}

/** What the feed says about one's own account beside the rows. */
export interface Rights {
  isAdmin: boolean;
  chatDisabled: boolean;
}

/** `needs-login`: signed in on this device, but the server no longer takes the token. */
export type SessionState =
  | { state: "loading" }
  | { state: "signed-out" }
  | { state: "signed-in"; user: SessionUser; needsLogin: boolean };

export type FeedFilter = "all" | "photos" | "videos";

/** `following`: the newest of those whom one follows. */
export type FeedSort = "latest" | "popular" | "following";

export interface FeedQuery {
  filter: FeedFilter;
  sort: FeedSort;
  limit: number;
  userId?: string;
}

export interface FeedPage {
  items: MediaView[];
  /** True when as many as asked for came back (specification §9). */
  hasMore: boolean;
  /** The server may have older ones of this list than this device. */
  older: boolean;
}

/** A single thing; `unreachable`: not here, and the server cannot be asked. */
export type Found<T> =
  | { state: "loading" }
  | { state: "found"; value: T }
  | { state: "gone" }
  | { state: "unreachable"; code: ErrorCode };

export interface IntentView {
  id: string;
  kind: string;
  /** Makes a medium: its failure is told in the words of an upload. */
  isUpload: boolean;
  /** A like, follow or block that is taken back. */
  undoes: boolean;
  state: IntentState;
  /** The person paused it: it takes `resume` to go on, and no sign-in. */
  held: boolean;
  /** A picture of it, or of what it is about, or "". */
  thumbnailUrl: string;
  /** Its own caption, text or name; `about`: that of its medium or person. */
  label: string;
  about: string;
  /** What it is about is a video. */
  ofVideo: boolean;
  createdAt: number;
  attempts: number;
  progress: number;
  bytes: number;
  code: ErrorCode | null;
  /** The server's own sentence for a refusal, or "". */
  message: string;
}

export interface OutboxView {
  /** False while the queue has not been read yet: no items is then not "nothing waits" (law 4). */
  ready: boolean;
  /** The queue cannot be read on this device: what waits is unknown. */
  failed: boolean;
  items: IntentView[];
  /** Ids of what the server has taken, until that came back with a pull. */
  sent: string[];
  /** Not yet acknowledged and not refused. */
  waiting: number;
  refused: number;
  bytes: number;
}

export interface SettingsView {
  content: string;
  /** Milliseconds since 1970, or null. */
  lastUpdated: number | null;
}

/** `offline`: the last request got no answer of our server's. */
export type Connection = "unknown" | "online" | "offline";

/** A file made ready for the queue: checked, stripped, with renditions (files/prepare). */
export interface PreparedMedia {
  file: Blob;
  type: MediaKind;
  contentType: string;
  originalFilename: string;
  thumbnail: Blob | null;
  preview: Blob | null;
  width: number;
  height: number;
  duration: number;
  thumbhash: string;
  /** Why there are no renditions (specification §8): the original is shown instead. */
  renditionFault?: "image_load_failed" | "canvas_unavailable" | "thumbnail_failed";
}

/** Announced after the replica or the queue changed (specification §4). */
export type ClientEvent =
  | { type: "mediaUpdated"; mediaId: string }
  | { type: "media-deleted"; mediaId: string }
  | { type: "messages-read"; conversationId: string; userId: string }
  /** The account was suspended, and is being signed out; what is queued stays sealed. */
  | { type: "suspended" }
  /** Somebody tried wrong passwords for the account since its last sign-in. */
  | { type: "wrong-guesses"; count: number; lastAt: number };

/**
 * Where this person's data are. In memory, so that they end with the page: `memory` (no storage),
 * `newer` (a later app version's queue is here), `full` (no room to open what is stored).
 */
export type StorageState = "unknown" | "persistent" | "memory" | "newer" | "full";

/** Bytes; null where the browser does not tell. */
export interface StorageUsage {
  usedBytes: number | null;
  grantedBytes: number | null;
  /** Whether the browser promised not to sweep it away. */
  isLasting: boolean | null;
  cachedBytes: number | null;
  /** Files of what waits or was refused. */
  queuedBytes: number;
  /** Files of what was sent within the last day, kept in case the server loses them. */
  keptBytes: number;
  media: number;
}

export interface SearchQuery {
  /** As it was typed; see domain/search-terms. */
  text: string;
  filter: FeedFilter;
  limit: number;
  /** All media with the tag `text`, and nothing else, in this order. */
  tag?: TagOrder;
}

export type TagOrder = "newest" | "popular";

export interface SearchPage {
  /** Newest first; what is found later comes behind what was there, so that nothing moves. */
  items: MediaView[];
  /** Of all media that are known to match. */
  count: number;
  hasMore: boolean;
  /** Whose names match: those that begin with it first. */
  people: ProfileView[];
  /** `device`: only this device was looked through, because the server cannot be asked. */
  reach: "asking" | "everywhere" | "device";
}

/** The signed-in user's relation to another person, with what is queued on top. */
export interface Relation {
  following: boolean;
  /** The signed-in person blocked the other; never the other way round, which nobody may know. */
  blocked: boolean;
  muted: boolean;
}

/** `asking`: the name is not known here yet; `unknown`: the server does not know it or is away. */
export type PersonView = { id: string } & (
  | { state: "known"; username: string; thumbnailUrl: string }
  | { state: "asking" }
  | { state: "unknown" }
);

/** Lists of the user's own; of others only the counts are known. */
export type PeopleList = "followers" | "following" | "blocked" | "muted";

export interface PeoplePage {
  /** Newest first, at most as many as asked for. */
  items: PersonView[];
  total: number;
}

/** Somebody else: known here, gone by the server's word, or not on this device yet. */
export type Counterpart =
  | { state: "known"; username: string; thumbnailUrl: string }
  | { state: "gone" }
  | { state: "unknown" };

export interface ConversationView {
  id: string;
  otherId: string;
  other: Counterpart;
  /** Text of the newest message, what is queued among them; "" while nothing was written. */
  lastMessage: string;
  lastKind: "none" | "text" | "photo" | "deleted";
  lastByMe: boolean;
  /** Milliseconds since 1970 of the newest message, or of the conversation's beginning. */
  lastAt: number;
  unread: number;
  /** By the signed-in person: neither can write, and what was said stays. */
  blocked: boolean;
  /** State of the newest message or the new conversation, while it waits or was refused. */
  pending: PendingMark | null;
}

export interface MessageView {
  id: string;
  conversationId: string;
  senderId: string;
  mine: boolean;
  message: string;
  type: "text" | "photo";
  /** Protected files, for `fileUrl`; object URLs while the photo waits; "" for none. */
  imageUrl: string;
  thumbnailUrl: string;
  /** Seconds since 1970 (specification §3). */
  timestamp: number;
  read: boolean;
  deleted: boolean;
  pending: PendingMark | null;
}

export interface MessagePage {
  /** Oldest first. */
  items: MessageView[];
  /** There are, or may be, older ones: here or on the server. */
  hasOlder: boolean;
}

/** Somebody whom this device has met: a chat with them can be started without a network. */
export interface KnownPerson {
  id: string;
  username: string;
  thumbnailUrl: string;
}

/** What was queued; null where nothing had to be, because the server never heard of the row. */
export interface Queued {
  intentId: string | null;
}

export interface UploadDraft {
  media: PreparedMedia;
  caption: string;
  tags: string[];
  alt?: string;
  /** For several media under one caption: an id made once for all of them, and its place. */
  post?: { id: string; index: number };
}

export interface MediaChanges {
  caption?: string;
  tags?: string[];
  alt?: string;
  commentsClosed?: boolean;
  subtitles?: Subtitles;
}

/** WebVTT and the name that the server will give its file; both "" to remove it. */
export interface Subtitles {
  text: string;
  name: string;
}

export interface ProfileChanges {
  username?: string;
  bio?: string;
  /** The server detects their type. */
  picture?: { file: Blob; thumbnail: Blob | null };
}

export type ChatPhoto = Pick<
  PreparedMedia,
  "file" | "thumbnail" | "contentType" | "originalFilename"
>;

export interface SignUpForm {
  email: string;
  username: string;
  password: string;
  passwordConfirm: string;
  termsAccepted: boolean;
}

/** `requiresReauth`: the session is no longer valid (specification §6). */
export type DeletedAccount = Result<null> & { requiresReauth: boolean };
