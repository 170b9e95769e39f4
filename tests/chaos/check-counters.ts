/** Whether counters equal the rows, and stored files what was sent. */

import { subtitlesName } from "@/domain/subtitles";
import { sha256 } from "./ledger";
import type { ServerCheck } from "./what-is-there";
import type { World } from "./world";

const COUNTERS: [table: string, column: string, rows: string][] = [
  ["media", "likes", "likes WHERE mediaId = t.id"],
  ["media", "comments", "comments WHERE mediaId = t.id"],
  ["media", "reports", "reports WHERE mediaId = t.id"],
  ["comments", "likes", "likes WHERE commentId = t.id"],
  ["comments", "replies", "comments WHERE parentId = t.id"],
  ["users", "followers", "follows WHERE followingId = t.id"],
  ["users", "following", "follows WHERE followerId = t.id AND tag = ''"],
  ["users", "mediaCount", "media WHERE userId = t.id"],
  ["conversations", "messageCount", "messages WHERE conversationId = t.id"],
  ...(["A", "B"] as const).map((side): [string, string, string] => [
    "conversations",
    `unread${side}`,
    `messages WHERE conversationId = t.id AND recipientId = t.user${side} AND NOT read AND NOT deleted`,
  ]),
];

export async function wrongCounters({ query }: World): Promise<string[]> {
  const faults: string[] = [];
  for (const [table, column, rows] of COUNTERS) {
    const wrong = await query(
      `SELECT t.id FROM ${table} t WHERE t.${column} <> (SELECT count(*) FROM ${rows})`,
    );
    faults.push(...wrong.map(({ id }) => `${table} ${id}: ${column} is not the number of rows`));
  }
  return faults;
}

/** What a bucket may lack is judged there. */
const isForBucket = ({ bucket }: World, { status }: Response): boolean =>
  bucket !== null && status === 404;

/** Each stored file is byte for byte what was chosen. */
export async function wrongFiles({ world, ledger }: ServerCheck): Promise<string[]> {
  const sent = new Map(ledger.entries.map((e) => [e.token, e.sha256]));
  const faults: string[] = [];
  for (const { name, path } of await storedFiles(world)) {
    const answer = await fetch(`${world.server.url}/api/files/${path}`);
    if (isForBucket(world, answer)) continue;
    const stored = sha256(new Uint8Array(await answer.arrayBuffer()));
    if (stored !== sent.get(name)) faults.push(`the file of "${name}" is another one`);
  }
  return [...faults, ...(await wrongSubtitles(world))];
}

/** Subtitles have the name and the size of their content; none have neither. */
async function wrongSubtitles(world: World): Promise<string[]> {
  const { query, server } = world;
  const rows = await query("SELECT id, subtitles, subtitlesSize FROM media");
  const checks = rows.map(async ({ id, subtitles, subtitlesSize }) => {
    if (subtitles === "") return Number(subtitlesSize) === 0;
    const answer = await fetch(`${server.url}/api/files/media/${id}/${subtitles}`);
    if (isForBucket(world, answer)) return true;
    const bytes = new Uint8Array(await answer.arrayBuffer());
    return subtitles === subtitlesName(sha256(bytes)) && Number(subtitlesSize) === bytes.length;
  });
  const right = await Promise.all(checks);
  return rows.filter((_, at) => !right[at]).map(({ id }) => `the subtitles of ${id} are others`);
}

async function storedFiles({ query, fileToken }: World): Promise<{ name: string; path: string }[]> {
  const token = await fileToken();
  const media = await query("SELECT id, caption, file FROM media WHERE file != 'a.jpg'");
  const photos = await query("SELECT id, message, image FROM messages WHERE image <> ''");
  return [
    ...media.map((row) => ({
      name: String(row["caption"]),
      path: `media/${row["id"]}/${row["file"]}`,
    })),
    ...photos.map((row) => ({
      name: String(row["message"]),
      path: `messages/${row["id"]}/${row["image"]}?token=${token}`,
    })),
  ];
}
