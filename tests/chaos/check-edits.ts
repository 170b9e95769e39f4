/** Whether what people changed about themselves and their media is as they last wanted it. */

import type { Entry } from "./ledger";
import type { ServerCheck } from "./what-is-there";

type Row = Record<string, string>;

export async function checkEdits({ world, ledger, left }: ServerCheck): Promise<string[]> {
  const users = (await world.query("SELECT id, username, bio FROM users")) as Row[];
  const media = (await world.query(
    "SELECT id, alt, subtitles, commentsClosed FROM media",
  )) as Row[];
  const comments = (await world.query("SELECT id, text FROM comments")) as Row[];
  const refused = new Set(left.flatMap((each) => each.refused.map((row) => row["target"])));
  return [
    ...users.flatMap((user) => unsaid(ledger.entries, user)),
    ...media.flatMap((row) => [
      ...lastEdit(ledger.entries, row, refused, { kind: "edit-media", column: "alt" }),
      ...lastEdit(ledger.entries, row, refused, CLOSING),
      ...lastEdit(ledger.entries, row, refused, { kind: "subtitles", column: "subtitles" }),
    ]),
    ...comments.flatMap((row) => lastEdit(ledger.entries, row, refused, COMMENT_EDIT)),
    ...(await strayNames(world)),
  ];
}

/** Biography and name are one of those that this person gave. */
function unsaid(entries: readonly Entry[], user: Row): string[] {
  const said = (kind: Entry["kind"]) =>
    entries.filter((e) => e.kind === kind && e.userId === user["id"]).map(({ token }) => token);
  const { id, username = "", bio = "" } = user;
  const faults: string[] = [];
  if (bio !== "" && !said("profile").includes(bio)) faults.push(`the biography of ${id}: "${bio}"`);
  const isFirst = username.startsWith("person") || username === "steward";
  if (!isFirst && !said("rename").includes(username)) faults.push(`the name of ${id}: ${username}`);
  return faults;
}

interface Edit {
  kind: Entry["kind"];
  column: string;
  /** Default: a medium. */
  of?: "mediaId" | "commentId";
  /** What the column is then. Default: the entry's token. */
  is?: (entry: Entry) => string;
}

const CLOSING: Edit = {
  kind: "edit-media",
  column: "commentsClosed",
  is: ({ on }) => (on ? "1" : "0"),
};
const COMMENT_EDIT: Edit = { kind: "edit-comment", column: "text", of: "commentId" };

/** Each is edited from the device that made it alone, so that the last word is certain. */
function lastEdit(
  entries: readonly Entry[],
  row: Row,
  refused: ReadonlySet<unknown>,
  { kind, column, of = "mediaId", is = ({ token }) => token }: Edit,
): string[] {
  const { id = "" } = row;
  const said = entries.filter((e) => e.kind === kind && e[of] === id);
  const last = said.at(-1);
  if (last === undefined || last.forgotten || refused.has(id)) return [];
  if (said.some(({ fate }) => fate === "maybe")) return [];
  const [now, wanted] = [String(row[column]), is(last)];
  return now === wanted ? [] : [`${column} of ${id} is "${now}", not "${wanted}"`];
}

/** A new name is on everything of that person's at once. */
async function strayNames({ query }: ServerCheck["world"]): Promise<string[]> {
  const tables = ["media", "comments"].map(
    (table) => `SELECT '${table} ' || t.id AS what FROM ${table} t
      JOIN users u ON u.id = t.userId WHERE u.username <> t.username`,
  );
  const rows = await query(tables.join(" UNION ALL "));
  return rows.map(({ what }) => `${what} carries an old name`);
}
