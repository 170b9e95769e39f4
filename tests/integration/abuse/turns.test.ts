/**
 * Who sends much at once: all but a few writes are told to come again, those wait for each other,
 * and few databases are opened.
 */
import { readdirSync, readlinkSync } from "node:fs";
import { get } from "node:http";
import { must, type Stage, setStage } from "@tests/integration/rules/stage";
import { cpuOf } from "@tests/support/cpu";
import type { Answer, SignedIn } from "@tests/support/pocketbase";
import { afterAll, beforeAll, expect, test } from "vitest";

const AT_ONCE = 100;
/** One that runs and sixteen that wait; some may come after the first has ended. */
const LEAST = 17;

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.server.stop());

/** Nothing can be written while it runs: so whoever comes meanwhile has to wait. */
const hold = (rows: number) => `UPDATE media SET views = views WHERE id IN (WITH RECURSIVE n(i) AS
  (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows}) SELECT i FROM n)`;

const TRIED = 10_000;
/** Longer than it takes all to come; those who wait are sent away after five seconds. */
const HOLD_MS = 1_500;

/** However fast this machine is. */
async function whileHeld(send: (i: number) => Promise<Answer>): Promise<Answer[]> {
  const begun = performance.now();
  await stage.sql(hold(TRIED));
  const rows = Math.ceil((TRIED * HOLD_MS) / (performance.now() - begun));
  const [held, ...answers] = await Promise.all([stage.sql(hold(rows)), ...many(send)]);
  expect(held.status).toBe(200);
  return answers;
}

const many = (send: (i: number) => Promise<Answer>): Promise<Answer>[] =>
  Array.from({ length: AT_ONCE }, (_, i) => send(i));

const comment = (mediaId: string, who: SignedIn) => (i: number) =>
  stage.create("comments", { mediaId, userId: who.id, text: `Word ${i} `.repeat(40) }, who);

function expectOnlySome(answers: Answer[]): void {
  const done = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 429);
  expect(done.length).toBeGreaterThanOrEqual(LEAST);
  expect(refused.length).toBeGreaterThan(0);
  expect(done.length + refused.length).toBe(AT_ONCE);
  for (const { headers, body } of refused) {
    expect(headers.get("retry-after")).toBe("1");
    expect(body.code).toBe("rate_limited");
  }
}

test("of one account's writes, and each that is answered is kept once", async () => {
  const mediaId = await stage.media(stage.ann);
  const answers = await whileHeld(comment(mediaId, stage.bob));
  expectOnlySome(answers);
  const kept = `SELECT count(*) FROM comments WHERE mediaId = '${mediaId}'`;
  expect(await stage.number(kept)).toBe(answers.filter(({ status }) => status === 200).length);
});

test("of one account's views of many media", async () => {
  const ids: string[] = [];
  for (let i = 0; i < AT_ONCE; i++) ids.push(await stage.media(stage.ann));
  const view = (id: string | undefined) =>
    stage.server.api("POST", `/api/media/${id}/view`, {}, stage.bob.token);
  expectOnlySome(await whileHeld((i) => view(ids[i])));
});

/** Cores that the server is busy with while an account has always the next write waiting. */
async function coresOfWriter(): Promise<number> {
  const mediaId = await stage.media(stage.ann);
  let left = 120;
  const send = async () => {
    while (left > 0) {
      const answer = await comment(mediaId, stage.bob)(left--);
      // Whose turn does not come in five seconds is told to come again.
      if (answer.status !== 429) must(answer);
    }
  };
  const begun = performance.now();
  const work = () => Promise.all(Array.from({ length: 8 }, send));
  const seconds = await cpuOf(stage.server.pid, work);
  return seconds / ((performance.now() - begun) / 1000);
}

/** Asks from another address again and again. */
function visit(): () => Promise<void> {
  let isThere = true;
  const ask = () =>
    new Promise((resolve, reject) => {
      const options = { localAddress: "127.0.0.2" };
      get(`${stage.server.url}/api/sync?since=head`, options, (answer) => {
        answer.resume().once("end", () => setTimeout(resolve, 200));
      }).once("error", reject);
    });
  const visits = (async () => {
    while (isThere) await ask();
  })();
  return () => {
    isThere = false;
    return visits;
  };
}

test("of the time, while others are there", async () => {
  let least = Number.POSITIVE_INFINITY;
  // Something else may keep the machine busy in one of the two.
  for (let round = 0; round < 3 && least >= 0.75; round += 1) {
    const alone = await coresOfWriter();
    const leave = visit();
    const besideOthers = await coresOfWriter();
    await leave();
    least = Math.min(least, besideOthers / alone);
  }
  expect(least).toBeLessThan(0.75);
});

test("superusers' writes are not counted", async () => {
  const { ann, superuser } = stage;
  const mediaId = await stage.media(ann);
  const text = "Brought along";
  const write = () => stage.create("comments", { mediaId, userId: ann.id, text }, superuser);
  const answers = await Promise.all(many(write));
  expect(answers.map(({ status }) => status)).toEqual(Array(AT_ONCE).fill(200));
});

test("a crowd opens no more databases than are kept", async () => {
  const open = () => {
    const fds = `/proc/${stage.server.pid}/fd`;
    const names = readdirSync(fds).map((fd) => {
      try {
        return readlinkSync(`${fds}/${fd}`);
      } catch {
        // Closed meanwhile.
        return "";
      }
    });
    return names.filter((name) => name.endsWith("/data.db")).length;
  };
  let most = 0;
  for (let round = 0; round < 5; round += 1) {
    let left = 200;
    const look = async () => {
      while (left > 0) {
        most = Math.max(most, open());
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const ask = async () => {
      // An account is read before anything else is known of a request.
      await stage.server.api("GET", "/api/nothing", undefined, stage.bob.token);
      left -= 1;
    };
    await Promise.all([look(), ...Array.from({ length: left }, ask)]);
  }
  // Sixteen that read, and the one that writes.
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(17);
});
