/** Types of what the client's parts share: `Shared` per client, `Scope` per user's open data. */
import type { BehaviorSubject, Observable } from "rxjs";
import type {
  ClientEvent,
  Connection,
  Rights,
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
import type { Nouns, Overlay, Replica } from "./noun";
import type { OutboxRow } from "./outbox-row";

import type { PendingWrites } from "./pending";
import type { Remote } from "./remote";
import type { SyncLoop } from "./sync-loop";

/** Who is signed in, as the engine needs it: see account/auth. */
export interface Auth {
  session: Cell<SessionState>;
  refresh(): Promise<Result<SessionUser>>;
  noteRights(rights: Rights): void;
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

export interface PullStatus {
  filled: boolean;
  failure: ErrorCode | null;
}

export interface ScopeStores {
  userId: string | null;
  replica: Replica;
  device: DeviceStore;
  status$: BehaviorSubject<PullStatus>;
}

export interface QueueStreams {
  rows$: Observable<OutboxRow[]>;
  context$: Observable<OverlayContext>;
  overlay$: Observable<Overlay>;
}

export interface Scope extends ScopeStores, QueueStreams {
  /** Resolves once this tab, or worker, is the one that pulls and sends. */
  leading: Promise<void>;
  drain: Drain;
  loop: SyncLoop;
  blobUrls: BlobUrls;
  shown: (ids: readonly string[]) => void;
  close(): Promise<void>;
  /** Closes, and deletes what the pull brought; with "discard", the queue too. */
  wipe(queue: "keep" | "discard"): Promise<void>;
}

export interface OverlayContext {
  offline: boolean;
  needsLogin: boolean;
  progress: ReadonlyMap<string, number>;
}
