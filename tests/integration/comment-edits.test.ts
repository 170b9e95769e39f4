/** Changing what one has written: by whom, for how long, and whom it is told to. */
import { type SignedIn, signUp } from "@tests/support/pocketbase";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { COMMENT_EDIT_MS, COMMENT_MAX } from "@/domain/limits";
import { codeOf, must, type Stage, setStage } from "./rules/stage";

let stage: Stage;
let ann: SignedIn;
let bob: SignedIn;
let eve: SignedIn;
/** Ann's. */
let mediaId: string;
/** Bob's comment on it. */
let id: string;

beforeAll(async () => {
  stage = await setStage();
  ({ ann, bob } = stage);
  eve = await signUp(stage.server);
});
beforeEach(async () => {
  mediaId = await stage.media(ann);
  const body = { mediaId, userId: bob.id, text: "Wo ist das?" };
  id = must(await stage.create("comments", body, bob)).body.id;
});
afterAll(() => stage.server.stop());

const edit = (text: unknown, who: SignedIn | undefined = bob) =>
  stage.update("comments", id, { text }, who);
const row = () => stage.row("comments", id);
/** As if it had been written so long ago. */
const age = (ms: number) => {
  const createdAt = new Date(Date.now() - ms).toISOString().replace("T", " ");
  return stage.sql(`UPDATE comments SET createdAt = '${createdAt}' WHERE id = '${id}'`);
};

test("its author changes a comment for a quarter of an hour, and it says so", async () => {
  const { checkpoint } = (await stage.server.api("GET", "/api/sync?since=head")).body;
  expect(must(await edit("  Wo war das?  ")).body).toMatchObject({ text: "Wo war das?" });
  expect(Date.now() - Date.parse(String((await row())["editedAt"]))).toBeLessThan(60_000);
  const { changes } = (await stage.server.api("GET", `/api/sync?since=${checkpoint}`)).body;
  expect(changes.comments.documents).toEqual([await row()]);
  await age(COMMENT_EDIT_MS - 60_000);
  must(await edit("Wo wird das sein?"));
  await age(COMMENT_EDIT_MS + 1_000);
  expect(await codeOf(edit("Zu spät"))).toBe("400 edit_late");
  expect(await row()).toMatchObject({ text: "Wo wird das sein?" });
  // Whose answer was lost hears, however late, that it is as he wanted.
  must(await edit("Wo wird das sein?"));
});

test("nobody else does, and nothing but the text", async () => {
  for (const who of [ann, eve, stage.admin, undefined]) {
    expect((await stage.update("comments", id, { text: "Nein" }, who)).status).toBe(404);
  }
  const other = await stage.media(eve);
  const forged = { text: "Neu", mediaId: other, userId: eve.id, parentId: id, replies: 7 };
  must(await stage.update("comments", id, forged, bob));
  expect(await row()).toMatchObject({
    text: "Neu",
    mediaId,
    userId: bob.id,
    parentId: "",
    replies: 0,
  });
});

test("a text that none could be written with is refused, and nothing changes", async () => {
  expect(await codeOf(edit(" \u200b "))).toBe("400 text_empty");
  expect(await codeOf(edit("x".repeat(COMMENT_MAX + 1)))).toBe("400 text_long");
  for (const text of [null, ["a"], { a: 1 }, "x".repeat(500_000)]) {
    const { status } = await edit(text);
    if (status === 200) expect((await row())["text"]).not.toBe("");
    else expect([400, 413]).toContain(status);
  }
  must(await stage.create("blocks", { blockerId: ann.id, blockedId: bob.id }, ann));
  expect(await codeOf(edit("Blockiert"))).toBe("403 blocked");
  await stage.sql("DELETE FROM blocks");
});

test("whom the new text names is told, and whom it names no more is not", async () => {
  const told = async (who: SignedIn): Promise<string[]> =>
    must(await stage.list("notifications", "perPage=500", who))
      .body.items.filter((one: { commentId: string }) => one.commentId === id)
      .map(({ kind }: { kind: string }) => kind);
  must(await edit(`Wo ist das, @${eve.record["username"]}?`));
  expect(await told(eve)).toEqual(["mention"]);
  must(await edit("Wo ist das?"));
  expect(await told(eve)).toEqual([]);
  expect(await told(ann)).toEqual(["comment"]);
});
