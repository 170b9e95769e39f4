/**
 * A person's own data as one archive: profile, media with their files, comments, likes, people and chats. Lists are asked of the
 * server, because a device keeps only a part; a file that cannot be had is named instead of ending it all.
 */
import type { ExportData, ExportOptions } from "@/data/export-api";
import type { Remote } from "@/data/remote/create-remote";
import { createFileTokens, type FileTokens } from "@/data/remote/file-token";
import { type RawRecord, textOf } from "@/data/schema/define-schema";
import { failed, ok } from "@/domain/result";
import { createZip } from "@/lib/zip";
import { chatsOf, type ExportFile, mediaOf, withoutFiles } from "./export-shapes";
import { readOwnRecords } from "./read-own-records";

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

const jsonOf = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

export async function exportData(
  deps: ExportDeps,
  { signal, onProgress }: ExportOptions,
): ReturnType<ExportData> {
  onProgress({ done: 0, files: 0 });
  const own = await readOwnRecords(deps.remote, deps.userId, signal);
  if (!own.success) return own;
  const { user, media, comments, likes, follows, blocks, conversations, messages, names } =
    own.value;
  const shared = mediaOf(media);
  const chats = chatsOf({ me: deps.userId, conversations, messages, names });
  const profile = profileFiles(user);
  const zip = createZip(new Date(deps.now()));
  await zip.add("profile.json", jsonOf(withoutFiles(user)));
  await zip.add("media.json", jsonOf(shared.rows));
  await zip.add("comments.json", jsonOf(comments.map(withoutFiles)));
  await zip.add("likes.json", jsonOf(likes.map(withoutFiles)));
  await zip.add("people.json", jsonOf(peopleOf(deps.userId, { follows, blocks, names })));
  await zip.add("chats.json", jsonOf(chats.rows));
  const files = [...profile, ...shared.files, ...chats.files];
  const missing: string[] = [];
  const tokens = createFileTokens(deps.remote, deps.now);
  for (const [done, file] of files.entries()) {
    if (signal.aborted) return failed("canceled");
    onProgress({ done, files: files.length });
    const blob = await fetchFile(deps, tokens, file, signal);
    if (blob === null) missing.push(file.name);
    else await zip.add(file.name, blob);
  }
  if (signal.aborted) return failed("canceled");
  if (missing.length > 0) await zip.add("missing.json", jsonOf(missing));
  onProgress({ done: files.length, files: files.length });
  return ok({ archive: zip.finish(), missing: missing.length });
}

function profileFiles(user: RawRecord): ExportFile[] {
  const picture = textOf(user, "profilePicture");
  if (picture === "") return [];
  const extension = picture.split(".").at(-1) ?? "jpg";
  const path = `/api/files/users/${textOf(user, "id")}/${picture}`;
  return [{ name: `profile-picture.${extension}`, path, isPrivate: false }];
}

interface People {
  follows: RawRecord[];
  blocks: RawRecord[];
  names: ReadonlyMap<string, string>;
}

function peopleOf(me: string, { follows, blocks, names }: People) {
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

/** Null when it cannot be had. */
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
      // No network, or stopped: the loop knows which.
    }
  }
  return null;
}
