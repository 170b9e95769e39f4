/** Whether a device holds what an independent listing with that person's token shows, and nothing of anybody else's. */

import type { CacheName } from "@/data/engine/noun";
import { type RawRecord, type ReplicaRow, textOf } from "@/data/engine/rows";
import { NOUNS } from "@/data/nouns";
import type { ChaosDevice, Closed } from "./chaos-device";
import { foreignRows } from "./foreign-rows";
import type { Entry, Ledger } from "./ledger";
import { filesOnDisk, galleryOnDisk, type RowOnDisk, rowsOnDisk } from "./rows-on-disk";
import { isRemoval } from "./what-is-there";
import type { Person, World } from "./world";

export interface ReplicaCheck {
  world: World;
  /** Who is signed in on it. */
  person: Person;
  people: readonly Person[];
  device: ChaosDevice;
  closed: Closed;
  ledger: Ledger;
  /** How many entries the ledger had when this person came in for the last time. */
  since: number;
}

interface Listing {
  collection: CacheName;
  /**
   * Every row that the person may see is there; every one that changed since the device began to follow; every one
   * that belongs to the part of the gallery that the device holds without a gap; or, of what changed, one's own and
   * what is on one's own media and on those that the device has held all the time since.
   */
  holds: "all" | "changed" | "gallery" | "discussed";
}

const LISTINGS: Listing[] = [
  { collection: "media", holds: "gallery" },
  { collection: "comments", holds: "discussed" },
  { collection: "profiles", holds: "changed" },
  { collection: "likes", holds: "all" },
  { collection: "saves", holds: "all" },
  { collection: "follows", holds: "all" },
  { collection: "blocks", holds: "all" },
  { collection: "conversations", holds: "all" },
  { collection: "messages", holds: "changed" },
  { collection: "notifications", holds: "all" },
];

/** Views are told late, by design. */
const IGNORED = new Set(["views", "popularKey", "seq", "updatedAt"]);

export async function checkReplica(check: ReplicaCheck): Promise<string[]> {
  const { world, person, people, device, closed } = check;
  const token = await world.tokenOf(person);
  const faults = closed.complaints
    .filter((text) => !text.startsWith("Ignoring"))
    .map((text) => `complained: ${text}`);
  const { head, asked } = sinceLastHead(check);
  const oldest = galleryOnDisk(closed.disk, person.id);
  const { read } = NOUNS.collection("media");
  const listed = (await listAll(world, "media", token)).flatMap((record) => read(record) ?? []);
  const media = new Map(listed.map((row) => [row.id, row]));
  const changed = ({ seq }: ReplicaRow) => seq > head;
  const madeAt = (row: ReplicaRow) => Number((row as { createdAt?: number }).createdAt);
  const gallery = (row: ReplicaRow) => madeAt(row) > oldest;
  const isOwn = (row: ReplicaRow) => (row as { userId?: string }).userId === person.id;
  const isFollowed = (row: ReplicaRow) => {
    const medium = media.get((row as { mediaId?: string }).mediaId ?? "");
    if (medium === undefined) return false;
    return isOwn(medium) || madeAt(medium) > followedFrom(asked, row.seq);
  };
  const holds = {
    all: () => true,
    changed,
    gallery,
    discussed: (row: ReplicaRow) => changed(row) && (isOwn(row) || isFollowed(row)),
  };
  for (const listing of LISTINGS) {
    const records = await listAll(world, listing.collection, token);
    const rows = rowsOnDisk(closed.disk, person.id, listing.collection);
    faults.push(...compare(listing, records, rows, holds[listing.holds]));
    faults.push(...ofOthers(check, listing.collection));
    faults.push(...missingOwn(check, listing.collection, records, rows));
  }
  faults.push(...missingFiles(check), ...foreignRows(closed.disk));
  const ids = new Set((await world.query("SELECT id FROM media")).map(({ id }) => id));
  const deleted = new Set(
    check.ledger.entries.flatMap((e) =>
      e.kind === "delete-media" || e.kind === "moderate" ? [e.mediaId] : [],
    ),
  );
  const vanished = [...new Set(closed.vanished)].filter((id) => ids.has(id) && !deleted.has(id));
  faults.push(...vanished.map((id) => `medium ${id} left the screen for a while`));
  return faults.map((fault) => `${device.name} (${nameOf(people, person.id)}): ${fault}`);
}

const nameOf = (people: readonly Person[], id: string): string =>
  people.find((person) => person.id === id)?.username ?? id;

/** Whoever was here before leaves a sealed queue, and no rows. */
function ofOthers({ people, person, closed }: ReplicaCheck, collection: string): string[] {
  return people
    .filter(({ id }) => id !== person.id)
    .flatMap(({ id, username }) =>
      rowsOnDisk(closed.disk, id, collection).map(
        (row) => `${collection} ${row.id} of ${username}`,
      ),
    );
}

/**
 * Of comments and messages a device has what it was shown; what was written on it since its person came in, always. A
 * comment that was taken back, with its medium or alone, may come again with a restore, for whoever asks for it.
 */
function missingOwn(
  { ledger, since, person, device }: ReplicaCheck,
  collection: string,
  records: readonly RawRecord[],
  rows: readonly RowOnDisk[],
): string[] {
  const kind = collection === "comments" ? "comment" : "message";
  if (collection !== "comments" && collection !== "messages") return [];
  const there = new Set(records.map((record) => textOf(record, "id")));
  const held = new Set(rows.map(({ id }) => id));
  const { entries } = ledger;
  const isBack = (e: Entry) =>
    entries.some(
      (gone) =>
        gone.shaken &&
        ((isRemoval(gone) && gone.mediaId === e.mediaId) ||
          (gone.kind === "delete-comment" && gone.commentId === e.parentId)),
    );
  return entries
    .slice(since)
    .filter((e) => e.kind === kind && e.device === device.name && e.userId === person.id)
    .filter((e) => kind === "message" || !isBack(e))
    .map((e) => e.commentId || e.messageId)
    .filter((id) => !entries.some((e) => e.kind === "delete-comment" && e.commentId === id))
    .filter((id) => there.has(id) && !held.has(id))
    .map((id) => `${collection} ${id} was written here and is missing`);
}

/** Whatever waits in anybody's queue, sealed or not, refused or kept, has its files beside it. */
function missingFiles({ people, closed }: ReplicaCheck): string[] {
  return people.flatMap(({ id, username }) => {
    const files = filesOnDisk(closed.disk, id);
    return rowsOnDisk(closed.disk, id, "outbox").flatMap((row) => {
      const wanted = Object.values((row["body"] as { files?: Record<string, string> }).files ?? {});
      return wanted
        .filter((key) => key !== "" && !files.has(key))
        .map((key) => `the queue of ${username} lacks ${key} (${row["kind"]}, ${row["state"]})`);
    });
  });
}

async function listAll(world: World, collection: string, token: string): Promise<RawRecord[]> {
  const records: RawRecord[] = [];
  for (let page = 1; ; page++) {
    const where = `/api/collections/${collection}/records?perPage=500&sort=id&page=${page}`;
    const { status, body } = await world.server.api("GET", where, undefined, token);
    if (status !== 200) throw new Error(`${collection}: ${status}`);
    records.push(...body.items);
    if (body.items.length < 500) return records;
  }
}

/** A request that names a part of the gallery, by the time of its end; `since`: null of one for a list. */
interface Asked {
  since: number | null;
  end: number;
}

/** Where in the feed the device began to follow, and what it asked for from then on. */
function sinceLastHead({ device, person }: ReplicaCheck): { head: number; asked: Asked[] } {
  const own = device.proxy.seen.filter(({ as }) => as === person.id);
  const at = own.findLastIndex(
    ({ path, status, heard }) => path === "/api/sync?since=head" && status === 200 && heard !== "",
  );
  const last = own[at];
  if (last === undefined) throw new Error(`${device.name} never asked for the feed's head`);
  const { checkpoint } = JSON.parse(last.heard) as { checkpoint: number };
  return { head: checkpoint, asked: own.slice(at + 1).flatMap(({ path }) => askedBy(path)) };
}

function askedBy(path: string): Asked[] {
  const { pathname, searchParams } = new URL(path, "http://device");
  if (pathname === "/api/sync") {
    const since = Number(searchParams.get("since"));
    return [{ since, end: Number(searchParams.get("mediaFrom") ?? 0) }];
  }
  const end = /createdAt < "([^"]+)"/.exec(searchParams.get("filter") ?? "")?.[1];
  if (pathname !== "/api/collections/media/records" || end === undefined) return [];
  return [{ since: null, end: Date.parse(end.replace(" ", "T")) }];
}

/**
 * When the newest of the media was made that the device may not have held when the feed told of this change, or since.
 * What goes for want of room comes again with a longer list, and what was said on it meanwhile does not.
 */
function followedFrom(asked: readonly Asked[], seq: number): number {
  const told = asked.findLastIndex(({ since }) => since !== null && since < seq);
  return Math.max(0, ...asked.slice(Math.max(0, told)).map(({ end }) => end));
}

/** Rows of which `isHeld` says so must be there; what is there must be right. */
function compare(
  { collection }: Listing,
  records: readonly RawRecord[],
  rows: readonly RowOnDisk[],
  isHeld: (row: ReplicaRow) => boolean,
): string[] {
  const { read } = NOUNS.collection(collection);
  const wanted = new Map(records.map((record) => [textOf(record, "id"), read(record)]));
  const held = new Map(rows.map((row) => [row.id, row]));
  const faults: string[] = [];
  for (const [id, row] of held) {
    const right = wanted.get(id);
    if (right === undefined || right === null) faults.push(`${collection} ${id} is gone, but held`);
    else faults.push(...differences(right, row).map((name) => `${collection} ${id}: ${name}`));
  }
  const missing = [...wanted].filter(([id, row]) => row && isHeld(row) && !held.has(id));
  return [...faults, ...missing.map(([id]) => `${collection} ${id} is missing`)];
}

function differences(right: ReplicaRow, row: RowOnDisk): string[] {
  return Object.entries(right).flatMap(([name, value]) => {
    const same = IGNORED.has(name) || JSON.stringify(row[name]) === JSON.stringify(value);
    return same ? [] : [`${name} is ${JSON.stringify(row[name])}, not ${JSON.stringify(value)}`];
  });
}
