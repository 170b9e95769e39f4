/**
 * A person's data as one archive. The lists come from the server, because a device has only a part.
 * Files that cannot be fetched are listed in `missing.json`.
 */
import { makeZip } from "client-zip";
import { isRecord, toFailure } from "@/data/engine/answers";
import { createFileTokens, type FileTokens } from "@/data/engine/file-token";
import { pullAll, pullIds } from "@/data/engine/lists";
import { filterOf, type Remote } from "@/data/engine/remote";
import { filePath, type RawRecord, textOf } from "@/data/engine/rows";
import { otherPersonOf } from "@/domain/chats";
import { slugFromCaption } from "@/domain/paths";
import { failed, ok, type Result } from "@/domain/result";

interface ExportDeps {
  remote: Remote;
  fetch: typeof globalThis.fetch;
  userId: string;
  now: () => number;
  delay: (ms: number, signal?: AbortSignal) => Promise<void>;
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

/** A ZIP archive, and how many files are missing in it; `canceled` when `signal` fired. */
export async function exportData(
  deps: ExportDeps,
  { signal, onProgress }: ExportOptions,
): Promise<Result<{ archive: Blob; missing: number }>> {
  onProgress({ done: 0, files: 0 });
  const own = await readOwnRecords(deps.remote, deps.userId, signal);
  if (!own.success) return own;
  const { lists, files } = contentOf(deps.userId, own.value);
  const missing: string[] = [];
  const tokens = createFileTokens(deps.remote, deps.now);
  async function* entries(): AsyncGenerator<ZipEntry> {
    for (const [name, list] of Object.entries(lists)) yield { name, input: jsonOf(list) };
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

const jsonOf = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Attempts for one file, and the pause before each further one in milliseconds. */
const ATTEMPTS = 3;
const PAUSE_MS = 1_500;

async function fetchFile(
  deps: ExportDeps,
  tokens: FileTokens,
  { path, isPrivate }: ExportFile,
  signal: AbortSignal,
): Promise<Blob | null> {
  const address = deps.remote.address(path);
  for (let attempt = 0; attempt < ATTEMPTS && !signal.aborted; attempt++) {
    if (attempt > 0) await deps.delay(PAUSE_MS * attempt, signal);
    try {
      const url = isPrivate ? await tokens.urlFor(address, deps.userId) : address;
      const response = await deps.fetch(url, { signal });
      if (response.ok) return await response.blob();
      if (response.status === 404) return null;
    } catch {
      // No network, or canceled: the loop's condition tells which.
    }
  }
  return null;
}

interface ZipEntry {
  name: string;
  input: Blob | string;
}

/** The archive is built from blobs of this size, which the browser may move to its disk. */
const PIECE_BYTES = 4 * 1_048_576;

/** An archive without compression: photos and videos already are compressed. */
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
 * The 64-bit end record and its locator. The ordinary record counts at most 65,535 entries, but
 * client-zip writes the 64-bit one only from 4 GB on.
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

interface ExportFile {
  name: string;
  path: string;
  isPrivate: boolean;
}

/** The lists by their names in the archive, and the files, which the lists name. */
function contentOf(me: string, own: OwnRecords) {
  const files: ExportFile[] = [];
  const add = (file: ExportFile): string => {
    files.push(file);
    return file.name;
  };
  const lists = {
    "profile.json": profileOf(own.user, add),
    "media.json": byDate(own.media).map((record) => mediumOf(record, add)),
    "comments.json": own.comments.map(withoutFiles),
    "likes.json": own.likes.map(withoutFiles),
    "saved.json": savedOf(own.saves),
    "people.json": peopleListsOf(me, own),
    "chats.json": own.conversations.map((record) => chatOf(record, { me, own, add })),
  };
  return { lists, files };
}

type AddFile = (file: ExportFile) => string;

/** Fields about how the server stores a row, not about the person. */
const SERVER_ONLY = new Set([
  "collectionId",
  "collectionName",
  "seq",
  "ord",
  "file",
  "thumbnail",
  "preview",
  "subtitles",
  "image",
  "thumbhash",
  "profilePicture",
  "profileThumbnail",
  "emailVisibility",
]);

const withoutFiles = (record: RawRecord): RawRecord =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !SERVER_ONLY.has(name)));

const extensionOf = (name: string): string => name.split(".").at(-1) ?? "bin";

function profileOf(user: RawRecord, add: AddFile): RawRecord {
  const stored = textOf(user, "profilePicture");
  const name = `profile-picture.${extensionOf(stored)}`;
  const path = `/api/files/users/${textOf(user, "id")}/${stored}`;
  if (stored !== "") add({ name, path, isPrivate: false });
  return withoutFiles(user);
}

function mediumOf(record: RawRecord, add: AddFile): RawRecord {
  const stored = textOf(record, "file");
  if (stored === "") return withoutFiles(record);
  const id = textOf(record, "id");
  const day = textOf(record, "createdAt").slice(0, 10);
  const words = [day, slugFromCaption(textOf(record, "caption")), id].filter(Boolean);
  const fileAs = (field: string) => {
    const name = `media/${words.join("-")}.${extensionOf(field)}`;
    return add({ name, path: filePath("media", id, field), isPrivate: false });
  };
  const spoken = textOf(record, "subtitles");
  return {
    ...withoutFiles(record),
    file: fileAs(stored),
    ...(spoken !== "" && { subtitles: fileAs(spoken) }),
  };
}

function chatOf(
  conversation: RawRecord,
  { me, own, add }: { me: string; own: OwnRecords; add: AddFile },
): RawRecord {
  const id = textOf(conversation, "id");
  const other = otherPersonOf(id, me) ?? "";
  const messages = own.messages.filter((message) => textOf(message, "conversationId") === id);
  return {
    id,
    with: { id: other, username: own.names.get(other) ?? "" },
    createdAt: textOf(conversation, "createdAt"),
    messages: byOrder(messages).map((message) => {
      const stored = textOf(message, "image");
      const from = textOf(message, "senderId") === me ? "me" : "them";
      const row = { ...withoutFiles(message), from };
      if (stored === "") return row;
      const messageId = textOf(message, "id");
      const name = `chats/${id}/${messageId}.${extensionOf(stored)}`;
      const path = filePath("messages", messageId, stored);
      return { ...row, image: add({ name, path, isPrivate: true }) };
    }),
  };
}

function peopleListsOf(me: string, { follows, blocks, names }: OwnRecords) {
  const pairs = (rows: RawRecord[], mine: string, other: string) =>
    rows
      .filter((row) => textOf(row, mine) === me && textOf(row, other) !== "")
      .map((row) => {
        const id = textOf(row, other);
        return { id, username: names.get(id) ?? "", since: textOf(row, "createdAt") };
      });
  return {
    following: pairs(follows, "followerId", "followingId"),
    followedTags: follows
      .filter((row) => textOf(row, "tag") !== "")
      .map((row) => ({ tag: textOf(row, "written", "tag"), since: textOf(row, "createdAt") })),
    followers: pairs(follows, "followingId", "followerId"),
    blocked: pairs(blocks, "blockerId", "blockedId"),
    muted: pairs(blocks, "blockerId", "mutedId"),
    mutedWords: blocks.map((row) => textOf(row, "word")).filter((word) => word !== ""),
  };
}

/** Each with the name of its folder, "" for none; and the folders, also empty ones. */
function savedOf(rows: readonly RawRecord[]) {
  const [saves, folders] = [
    rows.filter((row) => textOf(row, "mediaId") !== ""),
    rows.filter((row) => textOf(row, "mediaId") === ""),
  ];
  const half = (row: RawRecord) => textOf(row, "id").split("_")[1] ?? "";
  const names = new Map(folders.map((row) => [half(row), textOf(row, "name")]));
  return {
    folders: [...names.values()],
    media: byDate(saves).map((row) => ({
      mediaId: textOf(row, "mediaId"),
      folder: names.get(textOf(row, "folderId")) ?? "",
      since: textOf(row, "createdAt"),
    })),
  };
}

const byDate = (records: readonly RawRecord[]): RawRecord[] =>
  [...records].sort((a, b) => textOf(a, "createdAt").localeCompare(textOf(b, "createdAt")));

const byOrder = (records: readonly RawRecord[]): RawRecord[] =>
  [...records].sort((a, b) => Number(a["ord"] ?? 0) - Number(b["ord"] ?? 0));

const LISTS = [
  "media",
  "comments",
  "likes",
  "saves",
  "follows",
  "blocks",
  "conversations",
  "messages",
] as const;

type List = (typeof LISTS)[number];

type OwnRecords = Record<List, RawRecord[]> & {
  user: RawRecord;
  /** Usernames of the people in the lists whose accounts still exist. */
  names: Map<string, string>;
};

async function readOwnRecords(remote: Remote, userId: string, signal: AbortSignal) {
  const answer = await remote.request(`/api/collections/users/records/${userId}`);
  if (answer.kind !== "accepted") return toFailure(answer);
  if (!isRecord(answer.body)) return failed("network");
  const lists = Object.fromEntries(LISTS.map((name) => [name, []])) as unknown as Record<
    List,
    RawRecord[]
  >;
  for (const name of LISTS) {
    // Everybody may read media and comments. Of the others the server sends only the person's own.
    const isPublic = name === "media" || name === "comments";
    const condition = isPublic ? filterOf("userId = {:userId}", { userId }) : "";
    const take = async (rows: RawRecord[]) => void lists[name].push(...rows);
    const pulled = await pullAll(remote, name, take, { condition, signal });
    if (!pulled.success) return pulled;
  }
  const names = new Map<string, string>();
  const pulled = await pullIds(remote, "profiles", othersOf(lists, userId), async (profiles) => {
    for (const row of profiles) names.set(textOf(row, "id"), textOf(row, "username"));
  });
  return pulled.success ? ok({ ...lists, user: answer.body, names }) : pulled;
}

function othersOf(own: Record<List, RawRecord[]>, userId: string): string[] {
  const ids = new Set([
    ...own.follows.flatMap((row) => [textOf(row, "followerId"), textOf(row, "followingId")]),
    ...own.blocks.map((row) => textOf(row, "blockedId", "mutedId")),
    ...own.conversations.map((row) => otherPersonOf(textOf(row, "id"), userId) ?? ""),
  ]);
  return [...ids].filter((id) => id !== "" && id !== userId);
}
