/**
 * A person's own data as one archive: profile, media with their files, comments, likes, people and chats. The lists come
 * from the server, because a device keeps only a part of them. A file that cannot be fetched is listed in `missing.json`.
 */
import { makeZip } from "client-zip";
import type { ExportData, ExportOptions } from "@/data/export-api";
import type { Remote } from "@/data/remote/create-remote";
import { createFileTokens, type FileTokens } from "@/data/remote/file-token";
import { type RawRecord, textOf } from "@/data/schema/define-schema";
import { failed, ok } from "@/domain/result";
import { chatsOf, type ExportFile, mediaOf, withoutFiles } from "./export-shapes";
import { type OwnRecords, readOwnRecords } from "./read-own-records";

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
