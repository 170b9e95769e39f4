/** `GET /api/search` on a real server: what it finds, in which order, what it hides, and what odd questions get. */
import { type SignedIn, signUp } from "@tests/support/pocketbase";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { must, type Stage, setStage } from "./rules/stage";

let stage: Stage;
let ann: SignedIn;
let bob: SignedIn;

beforeAll(async () => {
  stage = await setStage();
  ({ ann, bob } = stage);
});
afterAll(() => stage?.server.stop());
beforeEach(async () => {
  await stage.sql("DELETE FROM media");
});

interface Asked {
  type?: string;
  before?: string;
  limit?: number;
  who?: SignedIn;
}

async function ask(q: string, { who, ...rest }: Asked = {}) {
  const query = new URLSearchParams({ q });
  for (const [name, value] of Object.entries(rest)) query.set(name, String(value));
  return stage.server.api("GET", `/api/search?${query}`, undefined, who?.token);
}

const captions = async (q: string, asked: Asked = {}): Promise<string[]> =>
  must(await ask(q, asked)).body.media.map((row: { caption: string }) => row.caption);

/** A medium of `age` hours. */
async function post(caption: string, age = 1, more: Record<string, unknown> = {}): Promise<string> {
  const { owner = ann, ...fields } = more as { owner?: SignedIn };
  const id = await stage.media(owner, { caption, tags: [], ...fields });
  const at = new Date(Date.UTC(2026, 0, 1) - age * 3_600_000).toISOString().replace("T", " ");
  await stage.sql(`UPDATE media SET createdAt = '${at}' WHERE id = '${id}'`);
  return id;
}

test("captions, tags and names are found, newest first, whatever the order they came in", async () => {
  await post("Old lighthouse", 300);
  await post("A walk", 1, { tags: ["lighthouse", "sea"] });
  await post("Lighthouse at noon", 20);
  await post("Something else", 5);
  await expect(captions("lighthouse")).resolves.toEqual([
    "A walk",
    "Lighthouse at noon",
    "Old lighthouse",
  ]);
  await expect(captions(`sea ${ann.record.username}`)).resolves.toEqual(["A walk"]);
  await expect(captions("lighthouse zeppelin")).resolves.toEqual([]);
});

test("a beginning is enough, and neither case nor accents matter, in any writing", async () => {
  await post("Küstenstraße im Nebel");
  await post("Cafe\u0301 au lait", 2);
  await post("東京タワーの夜", 3);
  for (const q of ["küste", "KUSTE", "kuestenx", "strasse", "STRAßE", "neb"]) {
    const expected = q === "kuestenx" ? [] : ["Küstenstraße im Nebel"];
    await expect(captions(q), q).resolves.toEqual(expected);
  }
  await expect(captions("cafe")).resolves.toHaveLength(1);
  await expect(captions("café")).resolves.toHaveLength(1);
  await expect(captions("東京タワー")).resolves.toHaveLength(1);
  await expect(captions("東京")).resolves.toHaveLength(1);
  await expect(captions("ne")).resolves.toEqual(["Küstenstraße im Nebel"]);
  await expect(captions("eb")).resolves.toEqual([]);
});

test("a word behind # is looked for among the tags alone", async () => {
  await post("Harbour", 1, { tags: ["night sky"] });
  await post("night harbour", 2);
  await expect(captions("#night")).resolves.toEqual(["Harbour"]);
  await expect(captions("night")).resolves.toEqual(["Harbour", "night harbour"]);
});

test("photos or videos alone when asked for", async () => {
  await post("Waves one", 1);
  await post("Waves two", 2, { type: "video" });
  await expect(captions("waves", { type: "video" })).resolves.toEqual(["Waves two"]);
  await expect(captions("waves", { type: "photo" })).resolves.toEqual(["Waves one"]);
  await expect(captions("wa", { type: "video" })).resolves.toEqual(["Waves two"]);
});

test("pages follow each other without a gap or a repetition, also where times are equal", async () => {
  for (let i = 0; i < 7; i++) await post(`Page ${i}`, i < 4 ? 1 : i);
  const seen: string[] = [];
  let before = "0";
  for (let more = true; more; ) {
    const { body } = must(await ask("page", { limit: 3, before }));
    seen.push(...body.media.map((row: { caption: string }) => row.caption));
    expect(body.people).toEqual([]);
    ({ more } = body);
    before = body.next;
  }
  expect(seen.slice(4)).toEqual(["Page 4", "Page 5", "Page 6"]);
  expect([...seen].sort()).toEqual(Array.from({ length: 7 }, (_, i) => `Page ${i}`));
});

test("what is edited, renamed or deleted is found as it is now", async () => {
  const eve = await signUp(stage.server, { username: "eve.before" });
  const id = await post("First words", 1, { owner: eve });
  must(await stage.update("media", id, { caption: "Second thoughts", tags: ["amber"] }, eve));
  await expect(captions("first")).resolves.toEqual([]);
  await expect(captions("amber second")).resolves.toEqual(["Second thoughts"]);
  must(await stage.update("users", eve.id, { username: "eve.after" }, eve));
  await expect(captions("eve.before")).resolves.toEqual([]);
  await expect(captions("eve.after")).resolves.toEqual(["Second thoughts"]);
  must(await stage.remove("media", id, eve));
  await expect(captions("amber")).resolves.toEqual([]);
  const left = await stage.number(
    "SELECT (SELECT count(*) FROM _search_media) - (SELECT count(*) FROM media)",
  );
  expect(left).toBe(0);
});

test("people whose name begins with it come first, and without their address", async () => {
  await signUp(stage.server, { username: "wanda.stern" });
  await signUp(stage.server, { username: "Stern.wart" });
  const names = async (q: string) =>
    must(await ask(q)).body.people.map((row: { username: string }) => row.username);
  await expect(names("stern")).resolves.toEqual(["Stern.wart", "wanda.stern"]);
  await expect(names("@stern")).resolves.toEqual(["Stern.wart", "wanda.stern"]);
  await expect(names("st")).resolves.toEqual(["Stern.wart"]);
  await expect(names("#stern")).resolves.toEqual([]);
  const { people } = must(await ask("wanda")).body;
  expect(people).toHaveLength(1);
  expect(Object.keys(people[0])).not.toContain("email");
});

test("whom a person blocked is hidden from that person alone", async () => {
  await post("Fireworks over the lake", 1, { owner: bob });
  await post("Fireworks from above", 2);
  const block = { id: `${ann.id}_${bob.id}`, blockerId: ann.id, blockedId: bob.id };
  must(await stage.create("blocks", block, ann));
  await expect(captions("fireworks", { who: ann })).resolves.toEqual(["Fireworks from above"]);
  await expect(captions("fi", { who: ann })).resolves.toEqual(["Fireworks from above"]);
  await expect(captions("fireworks", { who: bob })).resolves.toHaveLength(2);
  await expect(captions("fireworks")).resolves.toHaveLength(2);
  const seen = async (who?: SignedIn) =>
    must(await ask(bob.record.username, who ? { who } : {})).body.people.length;
  await expect(seen(ann)).resolves.toBe(0);
  await expect(seen()).resolves.toBe(1);
  must(await stage.remove("blocks", block.id, ann));
});

test("no answer holds what is hidden, and a token that is none is told so", async () => {
  await post("Reported lagoon");
  const { media } = must(await ask("lagoon")).body;
  expect(media).toHaveLength(1);
  expect(media[0]).toMatchObject({ caption: "Reported lagoon", likes: 0, collectionName: "media" });
  expect(media[0]).not.toHaveProperty("reports");
  const answer = await stage.server.api("GET", "/api/search?q=lagoon", undefined, "nonsense");
  expect([answer.status, answer.body.code]).toEqual([401, "unauthenticated"]);
});

test("no question makes the server fail", async () => {
  await post('He said "sea" AND left');
  const odd = [
    '"',
    '"""',
    '" OR "1',
    "sea AND",
    "NOT NEAR( OR",
    "words:sea",
    "sea*",
    "^sea",
    "{words}: sea",
    "%",
    "_",
    "\\",
    "'; DROP TABLE media; --",
    "{:me}",
    "[[id]]",
    "se\u0000a",
    "\u0000\u0000\u0000",
    "\ud800\udfff\ud800",
    "🌊",
    "🌊🌊🌊",
    "x".repeat(1000),
    "sea ".repeat(500),
    "ß",
    "\u0301\u0301\u0301",
  ];
  for (const q of odd) {
    const { status } = await ask(q);
    expect([q.slice(0, 20), status]).toEqual([q.slice(0, 20), 200]);
  }
  for (const query of ["", "q=", "q=%00", "q=%ff%fe%fd", "q=sea&q=lake", "q=%20%20"]) {
    const answer = await stage.server.api("GET", `/api/search?${query}`);
    expect([query, answer.status]).toEqual([query, 200]);
  }
  for (const query of [
    "type=audio",
    "before=-1",
    "before=x",
    "before=1e9",
    "limit=-3",
    "limit=x",
  ]) {
    const answer = await stage.server.api("GET", `/api/search?q=sea&${query}`);
    expect([query, answer.status]).toEqual([query, 400]);
  }
  await expect(captions('"sea"')).resolves.toHaveLength(1);
  await expect(captions("sea AND")).resolves.toHaveLength(1);
});
