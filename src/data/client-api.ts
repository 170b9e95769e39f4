/**
 * What `createClient` returns: the one door between everything above and the data below. Types only, so that
 * importing it costs nothing. Plain values come out of it, never an Rx object.
 */
import type { ErrorCode } from "@/domain/error-codes";
import type { MediaKind } from "@/domain/media-files";
import type { Result } from "@/domain/result";
import type { Account } from "./account-api";
import type { AdminClient } from "./admin-api";
import type { ChatReads } from "./chat-api";
import type { CommentReads } from "./comments-api";
import type { ExportData } from "./export-api";
import type { PeopleReads } from "./people-api";
import type { SearchReads } from "./search-api";
import type { ClientService } from "./service-api";
import type { ClientStorageInfo } from "./storage-api";

/** A value that changes. `subscribe` and `getSnapshot` are what `useSyncExternalStore` takes; a snapshot is the same object until the value changes. */
export interface Live<T> {
  subscribe: (onChange: () => void) => () => void;
  getSnapshot: () => T;
}

/** Loading, failed and ready are three things; an empty list is ready (law 4). */
export type Loaded<T> =
  | { state: "loading" }
  | { state: "ready"; value: T }
  | { state: "failed"; code: ErrorCode };

/**
 * Where an intent stands. `waiting`: queued with no connection, or until its next try; `paused`: until a sign-in, or
 * until the person resumes it (`held`); `acked`: the server has it, the pull has not brought it yet.
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
  /** Addresses of the whole file, the 300x300 thumbnail and the feed's preview; object URLs while it waits. The last two fall back to `url` for photos and to "" for videos. */
  url: string;
  thumbnailUrl: string;
  previewUrl: string;
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
  views: number;
  /** Whether the signed-in user likes it. */
  liked: boolean;
  /** Milliseconds since 1970. */
  createdAt: number;
  updatedAt: number;
  /** Set while an upload of it, or a change to it, has not come back from the server. */
  pending: PendingMark | null;
}

export interface CommentView {
  id: string;
  mediaId: string;
  userId: string;
  username: string;
  text: string;
  createdAt: number;
  pending: PendingMark | null;
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
  /** Set while a change of one's own profile waits. */
  pending: PendingMark | null;
}

/** The signed-in person, as the server told it at the last sign-in or refresh. */
export interface SessionUser {
  id: string;
  email: string;
  username: string;
  isAdmin: boolean;
}

/** `needs-login`: signed in on this device, but the server no longer takes the token. */
export type SessionState =
  | { state: "loading" }
  | { state: "signed-out" }
  | { state: "signed-in"; user: SessionUser; needsLogin: boolean };

export type FeedFilter = "all" | "photos" | "videos";
export type FeedSort = "latest" | "popular";

export interface FeedQuery {
  filter: FeedFilter;
  sort: FeedSort;
  /** How many rows at most. */
  limit: number;
  /** Only this person's. */
  userId?: string;
}

export interface FeedPage {
  items: MediaView[];
  /** True when as many as asked for came back (specification §9). */
  hasMore: boolean;
}

/** A single thing: there, gone by the server's word, or not known here while the server cannot be asked. */
export type Found<T> =
  | { state: "loading" }
  | { state: "found"; value: T }
  | { state: "gone" }
  | { state: "unreachable"; code: ErrorCode };

export interface IntentView {
  id: string;
  kind: string;
  /** A like, follow or block that is taken back. */
  undoes: boolean;
  state: IntentState;
  /** The person paused it: it takes `resume` to go on, and no sign-in. */
  held: boolean;
  /** A picture of it, or of what it is about, or "". */
  thumbnailUrl: string;
  /** Its own caption, text or name; `about`: of the medium or person that it is about. "" where there is none. */
  label: string;
  about: string;
  createdAt: number;
  attempts: number;
  /** Percent of an upload. */
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

/** `offline`: the last request got no answer of our server's (architecture, "navigator.onLine is a hint"). */
export type Connection = "unknown" | "online" | "offline";

/** A file made ready before it is queued: checked, stripped, with its renditions. See data/uploads/prepare-media. */
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
  /** Why there are no renditions (specification §8, "Thumbnails"): the original is shown instead. */
  renditionFault?: "image_load_failed" | "canvas_unavailable" | "thumbnail_failed";
}

export interface UploadDraft {
  media: PreparedMedia;
  caption: string;
  tags: string[];
  alt?: string;
}

export interface SignUpForm {
  email: string;
  username: string;
  password: string;
  passwordConfirm: string;
  termsAccepted: boolean;
}

export interface ClientAuth extends Account {
  session: Live<SessionState>;
  signIn(email: string, password: string): Promise<Result<SessionUser>>;
  signUp(form: SignUpForm): Promise<Result<SessionUser>>;
  /** What is queued: `keep` seals it for this user's next sign-in on this device, `discard` deletes it. */
  signOut(queue: "keep" | "discard"): Promise<Result<null>>;
  isUsernameTaken(username: string): Promise<Result<boolean>>;
  /** Asks the server for a fresh token. Only a 401 ends the session. */
  refresh(): Promise<Result<SessionUser>>;
  /** Specification §4: whether the session still stands on this device. Never asks the network. */
  check(): boolean;
}

export interface ClientReads extends ChatReads, CommentReads, PeopleReads, SearchReads {
  watchFeed(query: FeedQuery): Live<Loaded<FeedPage>>;
  watchMedia(id: string): Live<Found<MediaView>>;
  watchSettings(id: "terms" | "privacy"): Live<Loaded<SettingsView>>;
  /** Name of the product: the operator's, or the built-in one. */
  watchProductName(): Live<string>;
  /** Brings older media than the replica holds; `more` says whether there are still older ones. */
  pullOlderMedia(query: FeedQuery): Promise<Result<{ more: boolean }>>;
}

/** What was queued; null where nothing had to be, because the server never heard of what is undone. */
export interface Queued {
  intentId: string | null;
}

export interface MediaChanges {
  caption?: string;
  tags?: string[];
  alt?: string;
}

export interface ClientWrites {
  /** Queues an upload. The answer is that it is safe on this device, not that it was sent. */
  uploadMedia(draft: UploadDraft): Promise<Result<{ mediaId: string; intentId: string }>>;
  /** Changes what is given of one's own medium. */
  updateMedia(mediaId: string, changes: MediaChanges): Promise<Result<Queued>>;
  deleteMedia(mediaId: string): Promise<Result<Queued>>;
  setLike(mediaId: string, liked: boolean): Promise<Result<Queued>>;
  recordView(mediaId: string): Promise<Result<Queued>>;
}

export interface ClientOutbox {
  watch(): Live<OutboxView>;
  retry(intentId: string): Promise<void>;
  /** Stops an upload where it is, until `resume`; what lies behind it in its lane waits too. */
  pause(intentId: string): Promise<void>;
  /** Goes on where it stopped. */
  resume(intentId: string): Promise<void>;
  discard(intentId: string): Promise<void>;
  /** Tries everything that waits, now. */
  drain(): Promise<void>;
}

/** Announced after the replica or the queue changed (specification §4: mediaUpdated, media-deleted, messages-read). */
export type ClientEvent =
  | { type: "mediaUpdated"; mediaId: string }
  | { type: "media-deleted"; mediaId: string }
  | { type: "messages-read"; conversationId: string; userId: string }
  /** The account was suspended, and is being signed out; what is queued stays sealed. */
  | { type: "suspended" };

export interface Client {
  auth: ClientAuth;
  reads: ClientReads;
  writes: ClientWrites;
  outbox: ClientOutbox;
  service: ClientService;
  /** For administrators; the server decides at each call. */
  admin: AdminClient;
  connection: Live<Connection>;
  storage: ClientStorageInfo;
  exportData: ExportData;
  /** Pulls until nothing new is left. */
  sync(): Promise<Result<null>>;
  onEvent(listener: (event: ClientEvent) => void): () => void;
  close(): Promise<void>;
}
