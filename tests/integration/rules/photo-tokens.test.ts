/** The address of a chat's photo opens with a token that is good this moment, and whose is one of the two: with no other. */
import { createHmac } from "node:crypto";
import { mediaFixture } from "@tests/support/media-fixtures";
import { type SignedIn, signUp } from "@tests/support/pocketbase";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { conversationIdOf, must, type Stage, setStage, signInAgain } from "./stage";

let stage: Stage;
let ann: SignedIn;
let bob: SignedIn;
let address: string;

beforeAll(async () => {
  stage = await setStage();
  [ann, bob] = await Promise.all([signUp(stage.server), signUp(stage.server)]);
  await stage.conversation(ann, bob);
  const form = new FormData();
  form.set("conversationId", conversationIdOf(ann, bob));
  form.set("senderId", ann.id);
  form.set("type", "photo");
  form.set("timestamp", "1");
  form.set(
    "image",
    new File([new Uint8Array(mediaFixture("photo.png"))], "photo.png", { type: "image/png" }),
  );
  const { body } = must(await stage.create("messages", form, stage.superuser));
  address = `/api/files/messages/${body.id}/${body.image}`;
});
afterAll(() => stage.server.stop());

const tokenOf = async (who: SignedIn): Promise<string> =>
  must(await stage.server.api("POST", "/api/files/token", {}, who.token)).body.token;
/** Status, and how many bytes of the picture came with it. */
async function open(token: string): Promise<[number, number]> {
  const answer = await fetch(`${stage.server.url}${address}?token=${encodeURIComponent(token)}`);
  const bytes = await answer.arrayBuffer();
  const isPicture = answer.headers.get("content-type")?.startsWith("image/") ?? false;
  return [answer.status, isPicture ? bytes.byteLength : 0];
}
const PICTURE = [200, mediaFixture("photo.png").length];
const NOTHING = [404, 0];

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");

/** A file token as the server makes it, with its own keys, but of another time. */
async function tokenUntil(who: SignedIn, exp: number): Promise<string> {
  const { rows } = await stage.sql(
    `SELECT u.tokenKey, json_extract(c.options, '$.fileToken.secret'), c.id
     FROM users u, _collections c WHERE u.id = '${who.id}' AND c.name = 'users'`,
  );
  const [key, secret, collectionId] = (rows[0] ?? []).map(String);
  const claims = { collectionId, exp, id: who.id, type: "file" };
  const signed = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims)}`;
  const mark = createHmac("sha256", `${key}${secret}`).update(signed).digest("base64url");
  return `${signed}.${mark}`;
}

test("either of the two opens it, and nobody without a token, with another's or with a sign-in's", async () => {
  const [eve, admin] = [await signUp(stage.server), stage.admin];
  expect(await open(await tokenOf(ann))).toEqual(PICTURE);
  expect(await open(await tokenOf(bob))).toEqual(PICTURE);
  expect(await open(await tokenOf(admin))).toEqual(NOTHING);
  expect(await open("")).toEqual(NOTHING);
  expect(await open(await tokenOf(eve))).toEqual(NOTHING);
  expect(await open(ann.token)).toEqual(NOTHING);
  const [head, claims] = (await tokenOf(ann)).split(".");
  expect(await open(`${head}.${claims}.none`)).toEqual(NOTHING);
});

describe("a token that was good once opens nothing any more:", () => {
  test("after its time", async () => {
    const now = Math.floor(Date.now() / 1000);
    expect(await open(await tokenUntil(ann, now + 60))).toEqual(PICTURE);
    expect(await open(await tokenUntil(ann, now - 1))).toEqual(NOTHING);
  });

  test("after its owner changed the password", async () => {
    const token = await tokenOf(bob);
    expect(await open(token)).toEqual(PICTURE);
    const change = {
      oldPassword: bob.password,
      password: "Apfelkuchen-8",
      passwordConfirm: "Apfelkuchen-8",
    };
    must(await stage.update("users", bob.id, change, bob));
    expect(await open(token)).toEqual(NOTHING);
    bob = await signInAgain(stage.server, { ...bob, password: change.password });
    expect(await open(await tokenOf(bob))).toEqual(PICTURE);
  });

  test("after its owner ended all other sessions", async () => {
    const token = await tokenOf(bob);
    expect(await open(token)).toEqual(PICTURE);
    must(await stage.server.api("POST", "/api/account/sessions/end", {}, bob.token));
    expect(await open(token)).toEqual(NOTHING);
    bob = await signInAgain(stage.server, bob);
  });

  test("after its owner was suspended", async () => {
    const token = await tokenOf(bob);
    expect(await open(token)).toEqual(PICTURE);
    must(await stage.update("users", bob.id, { isBlocked: true }, stage.admin));
    expect(await open(token)).toEqual(NOTHING);
    must(await stage.update("users", bob.id, { isBlocked: false }, stage.admin));
    bob = await signInAgain(stage.server, bob);
  });

  test("after the message was deleted", async () => {
    const token = await tokenOf(bob);
    expect(await open(token)).toEqual(PICTURE);
    const id = address.split("/")[4] ?? "";
    must(await stage.update("messages", id, { deleted: true }, ann));
    expect(await open(token)).toEqual(NOTHING);
    expect(await open(await tokenOf(ann))).toEqual(NOTHING);
  });
});
