/**
 * What a noun (media, people, chat, …) tells the engine, which knows none by name. Nouns fill the
 * three open interfaces below by declaration merging.
 */
import type { RxCollection, RxDatabase, RxJsonSchema } from "rxdb";
import type { ClientEvent, PendingMark } from "@/data/shapes";
import { OPERATION_RETRY_MS } from "@/domain/limits";
import type { Result } from "@/domain/result";
import type { Answer } from "./answers";
import type { ClientDeps } from "./deps";
import type { DeviceStore } from "./device-store";
import type { OutboxRow, UploadRow } from "./outbox-row";
import type { Remote, RequestOptions } from "./remote";
import type { RawRecord, ReplicaRow } from "./rows";

/** Collection name to row, of what the pull fills. */
// biome-ignore lint/suspicious/noEmptyInterface: each noun merges its rows in.
export interface CacheRows {}
/** Intent kind to body. These names are in rows on users' devices: add, never rename. */
// biome-ignore lint/suspicious/noEmptyInterface: each noun merges its bodies in.
export interface IntentBodies {}
/** What pending intents change in what the replica says. Maps and sets, one group per noun. */
// biome-ignore lint/suspicious/noEmptyInterface: each noun merges its parts in.
export interface Overlay {}

export type CacheName = keyof CacheRows & string;
export type IntentKind = keyof IntentBodies & string;
export type Intent = {
  [K in IntentKind]: { kind: K; body: IntentBodies[K] };
}[IntentKind];

type Caches = { [Name in CacheName]: RxCollection<CacheRows[Name]> };

/** One user's rows on this device: what the pull filled, and the outbox. */
export interface Replica extends Caches {
  name: string;
  nouns: Nouns;
  outbox: RxCollection<OutboxRow>;
  uploads: RxCollection<UploadRow>;
  database: RxDatabase;
}

export interface RowId {
  name: CacheName;
  id: string;
}

export interface Subject {
  /** Caption or name; "" where there is none. */
  name: string;
  picture: string;
  isVideo?: boolean;
}

export interface Collection<Row extends ReplicaRow> {
  schema: RxJsonSchema<Row>;
  /** The row of a server's record; null where the record has no identity. */
  read: (record: RawRecord) => Row | null;
  /** Fields that name files on the server. */
  files?: (keyof Row & string)[];
  /** Which rows a device holds: all, the user's `own`, or those `shown` here (by their ids). */
  holds: "all" | "own" | "shown";
  subject?: (row: Row, address: (path: string) => string) => Subject;
  /** A column that repeats one of the row that `by` names, and changes without a number. */
  copies?: { column: keyof Row & string; from: CacheName; by: keyof Row & string };
}

/** An intent in the overlay: what was asked, and how far it is. */
export interface Waiting<Body> {
  body: Body;
  mark: PendingMark;
  createdAt: number;
}

export type WritableOverlay = {
  [Name in keyof Overlay]: Overlay[Name] extends ReadonlyMap<infer K, infer V>
    ? Map<K, V>
    : Overlay[Name] extends ReadonlySet<infer V>
      ? Set<V>
      : never;
};

export interface Request extends RequestOptions {
  path: string;
}

/** What a kind with a way of its own to be sent works with. */
export interface Sending {
  intentId: string;
  createdAt: number;
  remote: Remote;
  replica: Pick<Replica, "uploads">;
  device: Pick<DeviceStore, "readBlob">;
  compress?: ClientDeps["compress"] | undefined;
  strip?: ClientDeps["strip"] | undefined;
  checksum?: ClientDeps["checksum"] | undefined;
  /** Absent where the platform has XHR. */
  httpStack?: ClientDeps["uploadHttpStack"] | undefined;
  signal: AbortSignal;
  onAnswer: (ours: boolean) => void;
  /** Percent, at most `UPLOAD_PROGRESS_CAP`. */
  onProgress: (percent: number) => void;
}

/** What may be done after the server said yes and before the row counts as sent. */
export interface Sent {
  device: Pick<DeviceStore, "readBlob">;
  keepMedia: ClientDeps["keepMedia"] | undefined;
  /** Asks for a fresh token, which brings the account's name along. */
  refresh: () => Promise<unknown>;
}

/** What recovery after a restored backup can ask. */
export interface Recovery {
  replica: Replica;
  now: () => number;
  userId: string | null;
  isLost: (row: RowId) => boolean;
}

/** How recovery tells whether a restored server lost a change to a row that it still has. */
export interface Change<Body, Before = unknown> {
  /** What recovery needs of the replica as it is before the fresh pull. */
  before?: (recovery: Omit<Recovery, "isLost">, body: Body) => Promise<Before>;
  /** Added to the body while the pull overwrites `before`; null where the change had no effect. */
  remember?: (before: Before, body: Body) => Partial<Body> | null;
  isLost: (
    recovery: Recovery,
    body: Body,
    facts: { before: Before; isAcked: boolean; createdAt: number },
  ) => boolean | Promise<boolean>;
}

export interface Kind<K extends IntentKind = IntentKind> {
  kind: K;
  /** Text fields without which a stored row cannot be read. */
  needs: (keyof IntentBodies[K] & string)[];
  /** Intents of one lane are sent one after another, in the order of their making. */
  lane: (body: IntentBodies[K]) => string;
  /** What was to make or unmake one of these rows before it goes first, unless that is paused. */
  after?: (body: IntentBodies[K]) => RowId[];
  target: (body: IntentBodies[K]) => string;
  /** A newer one of the same target replaces an unsent one, and undoes a sent one. */
  toggle?: true;
  /** 0 goes first; files come later. */
  priority?: (body: IntentBodies[K]) => number;
  /** Milliseconds of online time after which it is no longer tried by itself (specification §9). */
  retryMs?: number;
  /** The one request that does it, or … */
  request?: (body: IntentBodies[K]) => Request;
  /** … its own way. */
  send?: (sending: Sending, body: IntentBodies[K]) => Promise<Answer>;
  /** A 404 or 410 settles it: there is nothing left to do. */
  goneSettles?: (body: IntentBodies[K]) => boolean;
  /** A taken id settles it; with `equal`, only where the row under that path has these values. */
  duplicateSettles?: (
    body: IntentBodies[K],
  ) => true | { path: string; equal: Record<string, string> };
  onSent?: (sent: Sent, body: IntentBodies[K], record: unknown) => Promise<unknown>;

  lay?: (overlay: WritableOverlay, waiting: Waiting<IntentBodies[K]>) => void;
  /** Stays visible when refused, because it holds something that the person made. */
  staysWhenRefused?: true;

  /** The row that it makes, or with `on: false` unmakes. */
  makes?: (body: IntentBodies[K]) => RowId & { on: boolean };
  /** A row without which the server cannot take it, and the intent that makes that row. */
  requires?: (body: IntentBodies[K]) => { row: RowId; made: Intent };
  /** Whether the code of a refusal says that this row is missing. */
  lacks?: (code: string) => boolean;
  /** The row that it is about: the intent ends with it, and is sent again if it returns. */
  about?: (body: IntentBodies[K]) => RowId | null;
  change?: Change<IntentBodies[K]>;
  /** Whether `row`, made earlier, has nothing left to recover. Toggles imply it. */
  undoes?: (later: OutboxRow, row: OutboxRow) => boolean;
  /** Deletes its target: still worth sending where the target's row is gone. */
  deletes?: true;
  /** What waits in its lane is about what it makes, and is discarded with it. */
  ownsLane?: true;
  /** Milliseconds for which it is kept after it was sent. Default a day. */
  keptMs?: number;
  /** A row as a store of schema version `from` held it. */
  upgrade?: (row: OutboxRow, from: number) => OutboxRow;

  hidden?: true;
  /** What the outbox screen shows as its text. */
  label?: (body: IntentBodies[K]) => string;
  /** The row whose name and picture the outbox screen shows. */
  subject?: (body: IntentBodies[K], userId: string) => RowId;
  files?: (body: IntentBodies[K]) => string[];
  /** Those of its files that show what it is, the best first. */
  pictures?: (body: IntentBodies[K]) => string[];
}

export interface Noun {
  collections: { [Name in CacheName]?: Collection<CacheRows[Name]> };
  kinds: Kind[];
  emptyOverlay: () => Partial<WritableOverlay>;
  /** What a pull from nothing asks for before all else. */
  pullFirst?: (pulling: FirstPull) => Promise<Result<null>>;
  /** The rows of the very first screen, before anything else is known. */
  pullScreen?: (pulling: Pick<FirstPull, "remote" | "replica">) => Promise<void>;
  /** What is fetched before anybody asks, for times without a network. */
  fetchAhead?: (ahead: Ahead) => Promise<Result<null>>;
  /** Which of its rows the feed is asked for. Without it, all. */
  nameWindow?: (pulling: WindowPull) => Promise<Named>;
  /** Events about what became of its rows, for listeners of the client. */
  events?: (about: {
    name: CacheName;
    /** Ids of rows that are new or changed, and of those that went. */
    written: readonly string[];
    removed: readonly string[];
  }) => ClientEvent[];
  /** Removes rows that can be pulled again. */
  evict?: (stores: Stores, need: EvictNeed) => Promise<void>;
}

export type EvictNeed = "usual" | "room" | "asked";

export interface Stores {
  deps: Pick<ClientDeps, "room" | "now">;
  replica: Replica;
  device: DeviceStore;
  userId: string | null;
}

export interface Ahead extends Pick<Stores, "replica" | "device" | "userId"> {
  remote: Remote;
  /** Waits for its turn; false where the data were closed meanwhile. */
  mayAsk: () => Promise<boolean>;
}

export interface FirstPull {
  remote: Remote;
  replica: Replica;
  device: Pick<DeviceStore, "windows$" | "changeWindows">;
  userId: string | null;
  take: (name: CacheName) => (records: RawRecord[]) => Promise<void>;
}

/** What a pull wrote. */
export interface Applied {
  /** Ids of rows that are new or changed, and of those that were removed. */
  written: { [Name in CacheName]?: string[] };
  removed: { [Name in CacheName]?: string[] };
  goneFiles: string[];
  changed: boolean;
}

export interface WindowPull {
  remote: Remote;
  replica: Replica;
  device: Pick<DeviceStore, "windows$" | "readNamed" | "writeNamed">;
  userId: string | null;
  onApplied: (applied: Applied, isWord: boolean) => void;
}

/** A window as a pull names it. */
export interface Named {
  query: Record<string, string | number>;
  /**
   * To be called once the server's history is known to be the same, and before the checkpoint goes
   * on: compares rows that came beside the feed, which may have left them out, and stores the name.
   * "fresh": all rows have just been pulled, so there is nothing to compare.
   */
  settle: (rows?: "fresh") => Promise<Result<null>>;
}

/** A kind with its defaults; the table of kinds forgets which body belongs to which. */
export const defineKind = <K extends IntentKind>(kind: Kind<K>): Kind =>
  ({ retryMs: OPERATION_RETRY_MS, ...kind }) as unknown as Kind;

/** A change whose `before` has a type of its own. */
export const defineChange = <Body, Before>(change: Change<Body, Before>): Change<Body> =>
  change as unknown as Change<Body>;

export type Nouns = ReturnType<typeof createNouns>;

export function createNouns(list: readonly Noun[]) {
  const collections = Object.assign({}, ...list.map((noun) => noun.collections)) as Record<
    string,
    Collection<ReplicaRow>
  >;
  const kinds = new Map<string, Kind>(
    list.flatMap((noun) => noun.kinds).map((kind) => [kind.kind, kind]),
  );
  const kindOf = (intent: Intent): Kind => {
    const kind = kinds.get(intent.kind);
    if (kind === undefined) throw new Error(`No noun has the kind ${intent.kind}`);
    return kind;
  };
  /** The intent of a stored row, or null for a row of an unknown or broken shape. */
  const parse = (row: Pick<OutboxRow, "kind" | "body">): Intent | null => {
    const kind = kinds.get(row.kind);
    const isWhole = kind?.needs.every((name) => typeof row.body[name] === "string") === true;
    return isWhole ? ({ kind: row.kind, body: row.body } as unknown as Intent) : null;
  };
  return {
    list,
    cacheNames: Object.keys(collections) as CacheName[],
    collection(name: CacheName): Collection<ReplicaRow> {
      const found = collections[name];
      if (found === undefined) throw new Error(`No noun has the collection ${name}`);
      return found;
    },
    kinds: [...kinds.keys()] as IntentKind[],
    kindOf,
    parse,
    read(row: Pick<OutboxRow, "kind" | "body">): { kind: Kind; intent: Intent } | null {
      const intent = parse(row);
      return intent === null ? null : { kind: kindOf(intent), intent };
    },
    emptyOverlay: (): WritableOverlay =>
      Object.assign({}, ...list.map((noun) => noun.emptyOverlay())),
  };
}
