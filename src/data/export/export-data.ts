/**
 * A person's own data as one archive: profile, media with their files, comments, likes, people and chats. The lists come
 * from the server, because a device keeps only a part of them. A file that cannot be fetched is listed in `missing.json`.
 */
import { makeZip } from "client-zip";
import type { ExportData, ExportOptions } from "@/data/client";
import { isRecord, toFailure } from "@/data/engine/answers";
import { createFileTokens, type FileTokens } from "@/data/engine/file-token";
import { pullRecords } from "@/data/engine/lists";
import type { Remote } from "@/data/engine/remote";
import { filePath, type RawRecord, textOf } from "@/data/engine/rows";
import { slugFromCaption } from "@/domain/paths";
import { failed, ok, type Result } from "@/domain/result";

export interface ExportDeps {
  remote: Remote;
  fetch: typeof globalThis.fetch;
  userId: string;
  now: () => number;
  delay: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** Tries for one file, and the pause before each further one, milliseconds. */
const TRIES = 3;
const PAUSE_MS = 1_500;

export async function exportData(
  deps: ExportDeps,
  { signal, onProgress }: ExportOptions,
): ReturnType<ExportData> {
  onProgress({ done: 0, files: 0 });
  const own = await readOwnRecords(deps.remote, deps.userId, signal);
  if (!own.success) return own;
  const { lists, files } = contentOf(deps.userId, own.value);
  const missing: string[] = [];
  const tokens = createFileTokens(deps.remote, deps.now);
  async function* entries(): AsyncGenerator<ZipEntry> {
    for (const [name, list] of lists) yield { name, input: jsonOf(list) };
    for (const [done, file] of files.entries()) {
      if (signal.aborted) return;
      onProgress({ done, files: files.length });
      const blob = await fetchFile(deps, tokens, file, signal);
      if (blob === null) missing.push(file.name);
      else yield { name: file.name, input: blob };
    }
    if (missing.length > 0) yield { name: "missing.json", input: jsonOf(missing) };
  }
  const archive = await zipOf(entries(), new Date(deps.now()));
  if (signal.aborted) return failed("canceled");
  onProgress({ done: files.length, files: files.length });
  return ok({ archive, missing: missing.length });
}

/** The archive's lists by their names, and the files that it is to hold. */
function contentOf(
  me: string,
  own: OwnRecords,
): { lists: [string, unknown][]; files: ExportFile[] } {
  const { user, comments, likes, conversations, messages, names } = own;
  const shared = mediaOf(own.media);
  const chats = chatsOf({ me, conversations, messages, names });
  return {
    lists: [
      ["profile.json", withoutFiles(user)],
      ["media.json", shared.rows],
      ["comments.json", comments.map(withoutFiles)],
      ["likes.json", likes.map(withoutFiles)],
      ["people.json", peopleOf(me, own)],
      ["chats.json", chats.rows],
    ],
    files: [...profileFiles(user), ...shared.files, ...chats.files],
  };
}

const jsonOf = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

interface ZipEntry {
  /** With slashes for folders. */
  name: string;
  input: Blob | string;
}

/** Pieces of the archive become blobs of this size, which the browser may move to its disk. */
const PIECE_BYTES = 4 * 1_048_576;

/** An archive without compression: photos and videos are compressed already. */
export async function zipOf(entries: AsyncIterable<ZipEntry>, lastModified: Date): Promise<Blob> {
  const pieces: Blob[] = [];
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  let count = 0;
  async function* counted() {
    for await (const entry of entries) {
      count += 1;
      yield { ...entry, lastModified };
    }
  }
  const collect = new WritableStream<Uint8Array<ArrayBuffer>>({
    write(chunk) {
      if (bytes >= PIECE_BYTES) {
        pieces.push(new Blob(chunks));
        chunks = [];
        bytes = 0;
      }
      chunks.push(chunk);
      bytes += chunk.byteLength;
    },
  });
  await makeZip(counted()).pipeTo(collect);
  const end = chunks.pop() ?? new Uint8Array();
  return new Blob([...pieces, ...chunks, ...end64(count, end), end], { type: "application/zip" });
}

const MOST_16 = 0xffff;
const MOST_32 = 0xffffffff;

/**
 * The 64-bit end record and its locator. client-zip writes them only for archives of 4 GB or more, but `end`, the
 * ordinary record, cannot count more than 65,535 entries either.
 */
function end64(count: number, end: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
  const ordinary = new DataView(end.buffer, end.byteOffset);
  const [size, start] = [ordinary.getUint32(12, true), ordinary.getUint32(16, true)];
  if (count < MOST_16 || start === MOST_32) return [];
  const record = new DataView(new ArrayBuffer(76));
  record.setUint32(0, 0x06064b50, true);
  record.setBigUint64(4, 44n, true);
  for (const at of [12, 14]) record.setUint16(at, 45, true);
  for (const at of [24, 32]) record.setBigUint64(at, BigInt(count), true);
  record.setBigUint64(40, BigInt(size), true);
  record.setBigUint64(48, BigInt(start), true);
  record.setUint32(56, 0x07064b50, true);
  record.setBigUint64(64, BigInt(start + size), true);
  record.setUint32(72, 1, true);
  return [new Uint8Array(record.buffer)];
}

function profileFiles(user: RawRecord): ExportFile[] {
  const picture = textOf(user, "profilePicture");
  if (picture === "") return [];
  const extension = picture.split(".").at(-1) ?? "jpg";
  const path = `/api/files/users/${textOf(user, "id")}/${picture}`;
  return [{ name: `profile-picture.${extension}`, path, isPrivate: false }];
}

function peopleOf(me: string, { follows, blocks, names }: OwnRecords) {
  const person = (id: string) => ({ id, username: names.get(id) ?? "" });
  const pairs = (rows: RawRecord[], mine: string, other: string) =>
    rows
      .filter((row) => textOf(row, mine) === me)
      .map((row) => ({ ...person(textOf(row, other)), since: textOf(row, "createdAt") }));
  return {
    following: pairs(follows, "followerId", "followingId"),
    followers: pairs(follows, "followingId", "followerId"),
    blocked: pairs(blocks, "blockerId", "blockedId"),
  };
}

/** Null when it cannot be fetched. */
async function fetchFile(
  deps: ExportDeps,
  tokens: FileTokens,
  { path, isPrivate }: ExportFile,
  signal: AbortSignal,
): Promise<Blob | null> {
  const address = deps.remote.address(path);
  for (let tried = 0; tried < TRIES && !signal.aborted; tried++) {
    if (tried > 0) await deps.delay(PAUSE_MS * tried, signal);
    try {
      const url = isPrivate ? await tokens.urlFor(address, deps.userId) : address;
      const response = await deps.fetch(url, { signal });
      if (response.ok) return await response.blob();
      if (response.status === 404) return null;
    } catch {
      // No network, or stopped: the loop's condition tells which.
    }
  }
  return null;
}

/** What the archive's lists look like. Pure. */

/** A file to fetch, and its name in the archive. */
export interface ExportFile {
  name: string;
  path: string;
  /** Needs a token of the participant's. */
  isPrivate: boolean;
}

/** Fields that say how the server stores a row, and nothing about the person. */
const SERVER_ONLY = new Set([
  "collectionId",
  "collectionName",
  "seq",
  "ord",
  "file",
  "thumbnail",
  "preview",
  "image",
  "thumbhash",
  "profilePicture",
  "profileThumbnail",
  "emailVisibility",
]);

export const withoutFiles = (record: RawRecord): RawRecord =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !SERVER_ONLY.has(name)));

const extensionOf = (name: string): string => name.split(".").at(-1) ?? "bin";
const dayOf = (record: RawRecord): string => textOf(record, "createdAt").slice(0, 10);

/** Own media, oldest first, each naming its file in the archive. */
export function mediaOf(records: readonly RawRecord[]): { rows: RawRecord[]; files: ExportFile[] } {
  const files: ExportFile[] = [];
  const rows = byDate(records).map((record) => {
    const stored = textOf(record, "file");
    if (stored === "") return withoutFiles(record);
    const id = textOf(record, "id");
    const words = [dayOf(record), slugFromCaption(textOf(record, "caption")), id].filter(Boolean);
    const name = `media/${words.join("-")}.${extensionOf(stored)}`;
    files.push({ name, path: filePath("media", id, stored), isPrivate: false });
    return { ...withoutFiles(record), file: name };
  });
  return { rows, files };
}

interface Chats {
  me: string;
  conversations: readonly RawRecord[];
  messages: readonly RawRecord[];
  names: ReadonlyMap<string, string>;
}

/** Chats with their messages in the order in which they were written. */
export function chatsOf({ me, conversations, messages, names }: Chats): {
  rows: RawRecord[];
  files: ExportFile[];
} {
  const files: ExportFile[] = [];
  const rows = conversations.map((conversation) => {
    const id = textOf(conversation, "id");
    const [other = ""] = id.split("_").filter((part) => part !== me);
    const own = messages.filter((message) => textOf(message, "conversationId") === id);
    return {
      id,
      with: { id: other, username: names.get(other) ?? "" },
      createdAt: textOf(conversation, "createdAt"),
      messages: byOrder(own).map((message) => {
        const image = textOf(message, "image");
        const row = {
          ...withoutFiles(message),
          from: textOf(message, "senderId") === me ? "me" : "them",
        };
        if (image === "") return row;
        const messageId = textOf(message, "id");
        const name = `chats/${id}/${messageId}.${extensionOf(image)}`;
        files.push({ name, path: filePath("messages", messageId, image), isPrivate: true });
        return { ...row, image: name };
      }),
    };
  });
  return { rows, files };
}

const byDate = (records: readonly RawRecord[]): RawRecord[] =>
  [...records].sort((a, b) => textOf(a, "createdAt").localeCompare(textOf(b, "createdAt")));

const byOrder = (records: readonly RawRecord[]): RawRecord[] =>
  [...records].sort((a, b) => Number(a["ord"] ?? 0) - Number(b["ord"] ?? 0));

/** Every row of one's own that the server has, list by list. */

const PAGE = 500;
const NAMES_AT_ONCE = 40;

const LISTS = [
  "media",
  "comments",
  "likes",
  "follows",
  "blocks",
  "conversations",
  "messages",
] as const;
type List = (typeof LISTS)[number];

export type OwnRecords = Record<List, RawRecord[]> & {
  user: RawRecord;
  /** Usernames of everybody that the lists name, as far as they are still there. */
  names: Map<string, string>;
};

export async function readOwnRecords(
  remote: Remote,
  userId: string,
  signal: AbortSignal,
): Promise<Result<OwnRecords>> {
  const answer = await remote.request(`/api/collections/users/records/${userId}`);
  if (answer.kind !== "accepted") return toFailure(answer);
  if (!isRecord(answer.body)) return failed("network");
  const lists: Partial<Record<List, RawRecord[]>> = {};
  for (const name of LISTS) {
    const rows = await readAll(remote, name, conditionOf(remote, name, userId), signal);
    if (!rows.success) return rows;
    lists[name] = rows.value;
  }
  const own = lists as Record<List, RawRecord[]>;
  const names = await readNames(remote, othersOf(own, userId), signal);
  return names.success ? ok({ ...own, user: answer.body, names: names.value }) : names;
}

/** Lists that everybody reads are cut to one's own; of the others the server gives no more. */
const conditionOf = (remote: Remote, name: List, userId: string): string =>
  name === "media" || name === "comments" ? remote.filter("userId = {:userId}", { userId }) : "";

async function readAll(
  remote: Remote,
  name: string,
  condition: string,
  signal: AbortSignal,
): Promise<Result<RawRecord[]>> {
  const all: RawRecord[] = [];
  for (let after = ""; ; ) {
    if (signal.aborted) return failed("canceled");
    const behind = after === "" ? "" : remote.filter("id > {:after}", { after });
    const filter = [condition, behind].filter((part) => part !== "").join(" && ");
    const page = await pullRecords(remote, name, { sort: "id", perPage: PAGE, filter });
    if (!page.success) return page;
    all.push(...page.value);
    if (page.value.length < PAGE) return ok(all);
    after = textOf(page.value.at(-1) ?? {}, "id");
  }
}

function othersOf(own: Record<List, RawRecord[]>, userId: string): string[] {
  const ids = new Set<string>();
  for (const row of own.follows) {
    ids.add(textOf(row, "followerId"));
    ids.add(textOf(row, "followingId"));
  }
  for (const row of own.blocks) ids.add(textOf(row, "blockedId"));
  for (const row of own.conversations) for (const id of textOf(row, "id").split("_")) ids.add(id);
  ids.delete(userId);
  ids.delete("");
  return [...ids];
}

async function readNames(
  remote: Remote,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Result<Map<string, string>>> {
  const names = new Map<string, string>();
  for (let i = 0; i < ids.length; i += NAMES_AT_ONCE) {
    const some = ids.slice(i, i + NAMES_AT_ONCE);
    const filter = some.map((id) => remote.filter("id = {:id}", { id })).join(" || ");
    const page = await readAll(remote, "profiles", `(${filter})`, signal);
    if (!page.success) return page;
    for (const row of page.value) names.set(textOf(row, "id"), textOf(row, "username"));
  }
  return ok(names);
}
