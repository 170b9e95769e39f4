/**
 * What `createClient` returns: the one door between everything above and the data below. Types
 * only.
 */
import type { Result } from "@/domain/result";
import type { AdminClient } from "./admin/admin-client";
import type {
  ClientEvent,
  CommentsPage,
  Connection,
  ConversationView,
  FeedPage,
  FeedQuery,
  Found,
  KnownPerson,
  Live,
  Loaded,
  MediaView,
  MessagePage,
  OutboxView,
  PeopleList,
  PeoplePage,
  PreparedMedia,
  ProfileView,
  Relation,
  SearchPage,
  SearchQuery,
  SessionState,
  SessionUser,
  SettingsView,
  StorageState,
  StorageUsage,
} from "./shapes";

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
  /**
   * What is queued: `keep` seals it for this user's next sign-in on this device, `discard` deletes
   * it.
   */
  signOut(queue: "keep" | "discard"): Promise<Result<null>>;
  isUsernameTaken(username: string): Promise<Result<boolean>>;
  /** Asks the server for a fresh token. Only a 401 ends the session. */
  refresh(): Promise<Result<SessionUser>>;
  /** Specification §4: whether the session is still stored here. Never asks the network. */
  check(): boolean;
}

export interface MediaReads {
  watchFeed(query: FeedQuery): Live<Loaded<FeedPage>>;
  watchMedia(id: string): Live<Found<MediaView>>;
  /** Brings older media than the replica holds; `more` says whether there are still older ones. */
  pullOlderMedia(query: FeedQuery): Promise<Result<{ more: boolean }>>;
}

export interface SettingsReads {
  watchSettings(id: "terms" | "privacy"): Live<Loaded<SettingsView>>;
  /** Name of the product: the operator's, or the built-in one. */
  watchProductName(): Live<string>;
}

export interface ClientReads
  extends MediaReads,
    CommentReads,
    PeopleReads,
    ChatReads,
    SearchReads,
    SettingsReads {}

/**
 * What was queued; null where nothing had to be, because the server never heard of what is undone.
 */
export interface Queued {
  intentId: string | null;
}

export interface MediaChanges {
  caption?: string;
  tags?: string[];
  alt?: string;
}

/** A picture with its thumbnail; the server detects its type. */
export interface ProfileChanges {
  username?: string;
  bio?: string;
  picture?: { file: Blob; thumbnail: Blob | null };
}

/** The part of a prepared medium that a chat sends. */
export type ChatPhoto = Pick<
  PreparedMedia,
  "file" | "thumbnail" | "contentType" | "originalFilename"
>;

// A successful write is safe on this device, and not necessarily sent yet.

export interface MediaWrites {
  uploadMedia(draft: UploadDraft): Promise<Result<{ mediaId: string; intentId: string }>>;
  /** Changes the given fields of a medium of the user's. */
  updateMedia(mediaId: string, changes: MediaChanges): Promise<Result<Queued>>;
  deleteMedia(mediaId: string): Promise<Result<Queued>>;
  setLike(mediaId: string, liked: boolean): Promise<Result<Queued>>;
  recordView(mediaId: string): Promise<Result<Queued>>;
  reportMedia(mediaId: string, reason: string): Promise<Result<Queued>>;
}

export interface CommentWrites {
  addComment(mediaId: string, text: string): Promise<Result<{ commentId: string }>>;
  deleteComment(mediaId: string, commentId: string): Promise<Result<Queued>>;
}

export interface PeopleWrites {
  followUser(userId: string): Promise<Result<Queued>>;
  unfollowUser(userId: string): Promise<Result<Queued>>;
  /** Also ends the blocker's follow (specification §4). */
  blockUser(userId: string): Promise<Result<Queued>>;
  unblockUser(userId: string): Promise<Result<Queued>>;
  /**
   * Sends only what is given. What is refused within ten seconds is told here and leaves no intent.
   */
  updateProfile(changes: ProfileChanges): Promise<Result<null>>;
  deleteProfilePicture(): Promise<Result<null>>;
}

export interface ChatWrites {
  /** Asked at once; without an answer it is queued before what is then written. */
  createOrGetConversation(userId: string): Promise<Result<{ conversationId: string }>>;
  sendTextMessage(conversationId: string, text: string): Promise<Result<{ messageId: string }>>;
  /** `photo` is made ready like an upload: checked, and without its camera data. */
  sendPhotoMessage(
    conversationId: string,
    photo: ChatPhoto,
    text?: string,
  ): Promise<Result<{ messageId: string }>>;
  deleteMessage(conversationId: string, messageId: string): Promise<Result<Queued>>;
  /** The other's messages are read; announced as `messages-read`. */
  markMessagesRead(conversationId: string): Promise<Result<Queued>>;
}

export interface SettingsWrites {
  /** Admins; asked at once. `revision` is the one that was read; a stale one is `conflict`. */
  saveSettings(id: "terms" | "privacy", content: string, revision?: number): Promise<Result<null>>;
}

export interface ClientWrites
  extends MediaWrites,
    CommentWrites,
    PeopleWrites,
    ChatWrites,
    SettingsWrites {}

export interface ClientOutbox {
  watch(): Live<OutboxView>;
  retry(intentId: string): Promise<void>;
  /** Stops an upload where it is, until `resume`; what is behind it in its lane waits too. */
  pause(intentId: string): Promise<void>;
  /** Goes on where it stopped. */
  resume(intentId: string): Promise<void>;
  discard(intentId: string): Promise<void>;
  /** Tries everything that waits, now. */
  drain(): Promise<void>;
}

export interface Client {
  auth: ClientAuth;
  reads: ClientReads;
  writes: ClientWrites;
  outbox: ClientOutbox;
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

/**
 * `requiresReauth`: the session no longer counts; the person has to sign in before (specification
 * §6).
 */
export type DeletedAccount = Result<null> & { requiresReauth: boolean };

/** Changes of the account (specification §7, "Auth"). Each asks the server and is never queued. */
export interface Account {
  /** Proves the password again and brings a fresh token. */
  reauthenticate(password: string): Promise<Result<SessionUser>>;
  /** Needs the current password; the address counts at once. */
  updateEmail(email: string, password: string): Promise<Result<SessionUser>>;
  /** Ends every other session of this account. */
  updatePassword(current: string, next: string, confirmation: string): Promise<Result<SessionUser>>;
  /** Signs the account out everywhere else; this session goes on. */
  endSessions(): Promise<Result<SessionUser>>;
  /** Deletes the account on the server and, when that was done, everything of it on this device. */
  deleteAccount(password: string): Promise<DeletedAccount>;
}

export interface ExportProgress {
  /** Files fetched so far, of `files`; 0 of 0 while it is still being looked up what there is. */
  done: number;
  files: number;
}

export interface ExportOptions {
  signal: AbortSignal;
  onProgress: (progress: ExportProgress) => void;
}

export interface ExportedData {
  /** A ZIP archive. */
  archive: Blob;
  /** How many files could not be fetched; `missing.json` in the archive names them. */
  missing: number;
}

/** Asks the server; `canceled` when `signal` fired. */
export type ExportData = (options: ExportOptions) => Promise<Result<ExportedData>>;

export interface ClientStorageInfo {
  state: Live<StorageState>;
  usage(): Promise<StorageUsage>;
  /**
   * Removes what can be had again: cached files and older rows. What is queued, and what the person
   * owns, stays.
   */
  clear(): Promise<void>;
}

export interface SearchReads {
  /** What this device knows at once, and what `pullSearch` brings. */
  watchSearch(query: SearchQuery): Live<Loaded<SearchPage>>;
  /** Asks the server for the next page of what it finds, where `limit` needs one. */
  pullSearch(query: SearchQuery): Promise<Result<null>>;
  /** Reads what the search looks through, ahead of the first key. */
  warmSearch(): Promise<void>;
}

export interface CommentReads {
  /**
   * The newest `limit` comments on a medium. The server is asked once, and again after a failure.
   */
  watchComments(mediaId: string, limit: number): Live<Loaded<CommentsPage>>;
}

export interface PeopleReads {
  watchProfile(userId: string): Live<Found<ProfileView>>;
  /** By the name in an address, whatever its case. */
  watchProfileByName(username: string): Live<Found<ProfileView>>;
  /** Ready with nothing for visitors. */
  watchRelation(userId: string): Live<Loaded<Relation>>;
  watchPeople(list: PeopleList, limit: number): Live<Loaded<PeoplePage>>;
  /** Asks the server, and without an answer looks on this device; null where there is nobody. */
  findUserId(username: string): Promise<Result<string | null>>;
  /** Messages of this person's that the signed-in one has not read. */
  watchUnreadFrom(userId: string): Live<number>;
}

export interface ChatReads {
  /** Newest first. */
  watchConversations(): Live<Loaded<ConversationView[]>>;
  watchConversation(conversationId: string): Live<Found<ConversationView>>;
  /**
   * The newest `limit` messages. What the device lacks of the first page is asked for by itself.
   */
  watchMessages(conversationId: string, limit: number): Live<Loaded<MessagePage>>;
  /**
   * Brings older messages until `limit` are here; `more` says whether there are still older ones.
   */
  pullOlderMessages(conversationId: string, limit: number): Promise<Result<{ more: boolean }>>;
  /** Unread messages of everybody (resolution 37). */
  watchUnread(): Live<number>;
  /** People on this device, by name, without oneself and those one has blocked. */
  watchKnownPeople(): Live<KnownPerson[]>;
  /**
   * Address under which this person may read a protected file, now or out of this device's cache.
   */
  fileUrl(url: string): Promise<string>;
}
