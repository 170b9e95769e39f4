import { expect, test } from "vitest";
import { createRemote, filterOf } from "@/data/engine/remote";

const MINE = { token: "mine", userId: "me", session: "" };

function remoteOf(answers: Response[], next = { ...MINE, token: "my next" }) {
  const asked: string[] = [];
  const waited: number[] = [];
  const remote = createRemote({
    baseUrl: "http://server",
    fetch: async (input, init) => {
      asked.push(`${new Headers(init?.headers).get("authorization")} ${String(input)}`);
      return answers.shift() ?? Response.error();
    },
    delay: async (ms) => {
      waited.push(ms);
      remote.setSender(next);
    },
    onAnswer: () => {},
    judgeToken: async () => "good",
  });
  remote.setSender(MINE);
  return { remote, asked, waited };
}

const busy = (seconds: number) =>
  Response.json(
    { status: 429, code: "rate_limited", message: "Wait.", data: {} },
    { status: 429, headers: { "Retry-After": String(seconds) } },
  );

test("a list that was refused for a moment is asked for once more, by the same person", async () => {
  const { remote, asked, waited } = remoteOf([busy(1), Response.json({ items: [] })]);
  expect(await remote.request("/api/search")).toMatchObject({ kind: "accepted" });
  expect(asked).toEqual(["mine http://server/api/search", "my next http://server/api/search"]);
  expect(waited).toEqual([1_000]);
});

test("nothing is asked for as somebody who signed in meanwhile", async () => {
  const { remote, asked } = remoteOf([busy(1)], { ...MINE, userId: "other", token: "other" });
  expect(await remote.request("/api/search")).toMatchObject({ code: "rate_limited" });
  expect(asked.length).toBe(1);
});

test("a longer wait, and a write, are the caller's to try again", async () => {
  const { remote, asked, waited } = remoteOf([busy(10), busy(1)]);
  const refused = { kind: "unknown", code: "rate_limited" };
  expect(await remote.request("/api/search")).toMatchObject({ ...refused, retryAfter: 10 });
  expect(await remote.request("/api/media", { method: "POST", body: {} })).toMatchObject(refused);
  expect([asked.length, waited.length]).toEqual([2, 0]);
});

test("a filter's values are quoted, whatever they hold", () => {
  const text = "caption = {:words} && ord < {:ord}";
  expect(filterOf(text, { words: 'say "a" \\ {:ord}', ord: 7 })).toBe(
    'caption = "say \\"a\\" \\\\ {:ord}" && ord < 7',
  );
});
