/**
 * What the client's parts share: `Shared` lives as long as the client, a `Scope` as long as one
 * user's data are open; nouns make their reads from `Views` and their writes from `Acts`.
 */
import type { BehaviorSubject, Observable } from "rxjs";
import type { Account, SignUpForm } from "@/data/client";
import type {
  ClientEvent,
  Connection,
  Found,
  Live,
  Loaded,
  SessionState,
  SessionUser,
  StorageState,
} from "@/data/shapes";
import type { ErrorCode } from "@/domain/error-codes";
import type { Result } from "@/domain/result";
import type { Cell } from "@/lib/cell";
import type { ClientDeps } from "./deps";
import type { BlobUrls, DeviceStore } from "./device-store";
import type { Drain } from "./drain";
import type { Intent, Nouns, Overlay, Replica } from "./noun";
import type { OutboxRow } from "./outbox-row";

import type { PendingWrites } from "./pending";
import type { Remote } from "./remote";
import type { SyncLoop } from "./sync-loop";

/** Who is signed in, and the calls that change it. */
export interface Auth {
  session: Cell<SessionState>;
  signIn(email: string, password: string): Promise<Result<SessionUser>>;
  signUp(form: SignUpForm): Promise<Result<SessionUser>>;
  refresh(): Promise<Result<SessionUser>>;
  isUsernameTaken(username: string): Promise<Result<boolean>>;
  account: Account;
  /** The server said in passing whether this person is an admin. */
  noteRights(isAdmin: boolean): void;
  /** Forgets the session on this device. */
  forget(): void;
  /**
   * Reads the session that another tab stored; true while it still belongs to the user shown here.
   */
  check(): boolean;
}

export interface Shared {
  deps: ClientDeps;
  nouns: Nouns;
  remote: Remote;
  auth: Auth;
  connection: Cell<Connection>;
  storage: Cell<StorageState>;
  pending: PendingWrites;
  emit: (event: ClientEvent) => void;
  /** The server has suspended this account: it is signed out here, its queue sealed. */
  endSuspended: () => void;
  log: (message: string, error: unknown) => void;
}

/** Whether the replica was ever filled, and why the last pull failed. */
export interface PullStatus {
  filled: boolean;
  failure: ErrorCode | null;
}

export interface ScopeStores {
  /** Null for the guest. */
  userId: string | null;
  replica: Replica;
  device: DeviceStore;
  /** Emits after each pull. */
  status$: BehaviorSubject<PullStatus>;
}

export interface QueueStreams {
  /** The outbox in the order of its places. */
  rows$: Observable<OutboxRow[]>;
  context$: Observable<OverlayContext>;
  overlay$: Observable<Overlay>;
}

/** Everything of one user's (or the guest's) on this device while it is open. */
export interface Scope extends ScopeStores, QueueStreams {
  drain: Drain;
  loop: SyncLoop;
  blobUrls: BlobUrls;
  /** These media are on the screen. */
  shown: (ids: readonly string[]) => void;
  close(): Promise<void>;
  /** Closes, and deletes what the pull brought; with "discard", the queue too. */
  wipe(queue: "keep" | "discard"): Promise<void>;
}

/** What live reads are made from. The same key gives the same live value. */
export interface Views {
  shared: Shared;
  /** The open scope, once there is one. */
  scope: () => Promise<Scope>;
  /** Whole address of a path on the server. */
  address: (path: string) => string;
  loaded<T>(key: string, source: (scope: Scope) => Observable<Loaded<T>>): Live<Loaded<T>>;
  found<T>(key: string, source: (scope: Scope) => Observable<Found<T>>): Live<Found<T>>;
  /** `initial` while nobody's data are open, and where the stream broke. */
  value<T>(key: string, source: (scope: Scope) => Observable<T>, initial: T): Live<T>;
}

/** What writes are made from. */
export interface Acts {
  shared: Shared;
  /** The open scope, once there is one. */
  scope: () => Promise<Scope>;
  user(): SessionUser | null;
  /**
   * Queues an intent with its files and shows it at once. A full device is cleared of caches first;
   * `storage_full` means that nothing was kept.
   */
  enqueue(intent: Intent, blobs?: ReadonlyMap<string, Blob>): Promise<Result<{ intentId: string }>>;
  /** The same for a signed-in user; `unauthenticated` for others. */
  enqueueAs(intent: (user: SessionUser) => Intent): Promise<Result<{ intentId: string }>>;
}

/** What decides how a waiting row is called. */
export interface OverlayContext {
  offline: boolean;
  needsLogin: boolean;
  /** Percent by intent id, of what is being sent. */
  progress: ReadonlyMap<string, number>;
}
