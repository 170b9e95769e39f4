/**
 * Databases made by every earlier schema, with rows in each of their tables, under today's server:
 * whole, of the same shape as a new one, and in use.
 */
import { createHash } from "node:crypto";
import { runPocketBaseCommand } from "@scripts/server.mjs";
import { must } from "@tests/integration/rules/stage";
import { mediaFixture } from "@tests/support/media-fixtures";
import {
  createSuperuser,
  newFolder,
  type PocketBase,
  startPocketBase,
} from "@tests/support/pocketbase";
import { byTurns } from "@tests/support/thorough";
import {
  ANN,
  buildEarlierPlace,
  CHAT,
  dump,
  FILM,
  PASSWORD,
  PHOTO,
  type Rows,
  SCHEMAS,
  SNAP,
  shapeOf,
} from "@tests/upgrades/earlier-places";
import { beforeAll, expect, test } from "vitest";

let fresh: string[];
let freshTables: string[];
beforeAll(async () => {
  const server = await startPocketBase({ dataDir: newFolder() });
  const { token } = await createSuperuser(server);
  fresh = await shapeOf(server, token);
  freshTables = Object.keys(await dump(server, token));
  await server.stop();
});

const signIn = async (server: PocketBase, collection: string, identity: string, password: string) =>
  must(
    await server.api("POST", `/api/collections/${collection}/auth-with-password`, {
      identity,
      password,
    }),
  ).body.token as string;

/** What an upgrade may change of a row that was there. */
function allowChanges(rows: Rows): Rows {
  const changed: Record<string, string[]> = {
    // The feed tells every device of the last message's new column, and of the settings' row.
    conversations: ["seq"],
    settings: ["updatedAt"],
    // The doctor looks at these below; the start itself is in the history and in the audit book.
    _seq: ["v", "boot"],
    _counts: ["n"],
    _daily: ["n"],
    // The superuser's sign-in is noted.
    _superusers: ["updated"],
  };
  const kept = (name: string, row: Rows[string][number]) =>
    Object.fromEntries(Object.entries(row).filter(([column]) => !changed[name]?.includes(column)));
  return Object.fromEntries(
    Object.entries(rows).map(([name, all]) => [name, all.map((row) => kept(name, row))]),
  );
}

const PLACES = SCHEMAS.map(({ commit, day }, index) => ({ commit, day, index }));
/** The oldest and the newest among them. */
const OPENED = [...new Set([...byTurns(PLACES, 0, 3), ...PLACES.slice(-1)])];

test.each(OPENED)(
  "a place of $day ($commit) opens with all its rows, and is in use",
  async ({ index }) => {
    const { dataDir, before } = await buildEarlierPlace(index);
    // A table that stays empty here would prove nothing: give it a row (tests/upgrades).
    const empty = Object.keys(before).filter((name) => before[name]?.length === 0);
    expect(empty).toEqual([]);

    const server = await startPocketBase({ dataDir });
    const token = await signIn(server, "_superusers", "superuser@example.com", "super-secret-1");
    const after = await dump(server, token);
    expect(Object.keys(after).sort()).toEqual([...freshTables].sort());
    for (const [name, rows] of Object.entries(allowChanges(before))) {
      // Each full minute the schedule throws away what no mail server is there for.
      if (name === "_mails" && after[name]?.length === 0) continue;
      expect(after[name], name).toEqual(
        expect.arrayContaining(rows.map((row) => expect.objectContaining(row))),
      );
      if (name !== "audit" && name !== "_daily") expect(after[name]).toHaveLength(rows.length);
    }
    expect(await shapeOf(server, token)).toEqual(fresh);
    expect(after["conversations"]).toMatchObject([{ id: CHAT, lastMessageType: "photo" }]);
    expect(after["reports"]?.map((row) => Number(row["number"])).sort()).toEqual([1, 2]);
    const film = after["media"]?.find(({ id }) => id === FILM);
    expect(Number(film?.["subtitlesSize"])).toBe(film?.["subtitles"] === "" ? 0 : 7);
    const snap = after["messages"]?.find(({ id }) => id === SNAP);
    expect(Number(snap?.["photoSize"])).toBe(mediaFixture("photo.jpg").length);
    const { examined } = await runPocketBaseCommand(dataDir, ["examine"]);
    const found = examined?.findings.map(({ code }) => code);
    expect(found).toEqual(expect.arrayContaining(["counters_good", "sequence_good"]));
    await useIt(server);
    await server.stop();
  },
);

/** Somebody signs in with the old password, pulls everything, looks at files, finds and writes. */
async function useIt(server: PocketBase): Promise<void> {
  const ann = await signIn(server, "users", "ann@example.com", PASSWORD);
  const get = async (where: string) => must(await server.api("GET", where, undefined, ann)).body;
  const { changes } = await get("/api/sync?since=0&limit=500");
  const ids = (name: string) => changes[name].documents.map(({ id }: { id: string }) => id).sort();
  expect(ids("media")).toEqual([FILM, PHOTO].sort());
  expect(ids("comments")).toEqual(["commentcomment1", "commentcomment2"]);
  expect(ids("messages")).toEqual(["messagemessage1", "messagemessage2", SNAP].sort());
  expect(ids("conversations")).toEqual([CHAT]);
  expect(ids("likes")).toEqual([`${FILM}_${ANN}`]);

  const { collectionId, file, views } = await get(`/api/collections/media/records/${PHOTO}`);
  expect(views).toBe(3);
  const answer = await fetch(`${server.url}/api/files/${collectionId}/${PHOTO}/${file}`);
  const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
  expect(digest(new Uint8Array(await answer.arrayBuffer()))).toBe(
    digest(mediaFixture("photo.jpg")),
  );

  const search = async (words: string, more = "") =>
    (await get(`/api/search?q=${encodeURIComponent(words)}${more}`)).media.map(
      ({ id }: { id: string }) => id,
    );
  expect(await search("strasse")).toEqual([PHOTO]);
  expect(await search("#küste", "&type=photo")).toEqual([PHOTO]);
  expect(await search("@bob", "&type=video")).toEqual([FILM]);

  const said = { mediaId: FILM, userId: ANN, text: "Still here" };
  must(await server.api("POST", "/api/collections/comments/records", said, ann));
  expect((await get(`/api/collections/media/records/${FILM}`)).comments).toBe(1);
}
