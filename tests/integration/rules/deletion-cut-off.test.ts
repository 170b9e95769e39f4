/** A server that dies in the middle of deleting an account: what then stands, and the second asking. */
import { signUp } from "@tests/support/pocketbase";
import { sql } from "@tests/support/sql";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Stage, setStage, signInAgain } from "./stage";

const MEDIA = 600;
const DATE = "strftime('%Y-%m-%d %H:%M:%fZ', 'now')";

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.server.stop());

const run = (query: string) => sql(stage.server, stage.superuser.token, query);

/** People and media whose counters are not their rows. */
const BENT = `SELECT (SELECT count(*) FROM users u WHERE
    followers != (SELECT count(*) FROM follows WHERE followingId = u.id) OR
    following != (SELECT count(*) FROM follows WHERE followerId = u.id) OR
    mediaCount != (SELECT count(*) FROM media WHERE userId = u.id)) +
  (SELECT count(*) FROM media m WHERE
    likes != (SELECT count(*) FROM likes WHERE mediaId = m.id) OR
    comments != (SELECT count(*) FROM comments WHERE mediaId = m.id))`;

test("an account whose deletion the server did not survive is whole in what is left, and goes when asked again", async () => {
  const { server } = stage;
  const [who, other] = [await signUp(server), await signUp(server)];
  const seen = await stage.media(other);
  const like = { mediaId: seen, userId: who.id };
  expect((await stage.create("likes", like, who)).status).toBe(200);
  const follow = { followerId: other.id, followingId: who.id };
  expect((await stage.create("follows", follow, other)).status).toBe(200);
  await run(`INSERT INTO media (id, userId, username, caption, tags, type, file, createdAt, updatedAt, seq)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MEDIA})
      SELECT printf('d%014d', i), '${who.id}', '', 'One of many', '[]', 'photo', 'a.jpg', ${DATE}, ${DATE}, 0 FROM n`);
  await run(`INSERT INTO likes (id, mediaId, userId, createdAt, seq)
      SELECT id || '_${other.id}', id, '${other.id}', ${DATE}, 0 FROM media WHERE userId = '${who.id}'`);
  expect(await stage.number(BENT)).toBe(0);
  const left = () => stage.number(`SELECT count(*) FROM media WHERE userId = '${who.id}'`);
  const ask = (token: string) =>
    server.api("POST", "/api/account/delete", { password: who.password }, token);

  const cutOff = ask(who.token).then(
    () => "answered",
    () => "cut off",
  );
  while ((await left()) === MEDIA);
  await server.kill();
  expect(await cutOff).toBe("cut off");
  await server.restart();

  const rest = await left();
  expect(rest).toBeGreaterThan(0);
  expect(rest).toBeLessThan(MEDIA);
  expect(await stage.number(BENT)).toBe(0);
  expect(await stage.row("users", who.id)).toMatchObject({ mediaCount: rest, followers: 0 });
  const again = await signInAgain(server, who);
  expect((await ask(again.token)).status).toBe(204);
  expect(await left()).toBe(0);
  expect(
    await stage.number(
      `SELECT count(*) FROM likes WHERE userId = '${who.id}' OR mediaId LIKE 'd0%'`,
    ),
  ).toBe(0);
  expect(await stage.number(`SELECT count(*) FROM users WHERE id = '${who.id}'`)).toBe(0);
  expect(await stage.number(BENT)).toBe(0);
  expect(await stage.row("media", seen)).toMatchObject({ likes: 0 });
});
