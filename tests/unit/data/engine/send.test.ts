import { describe, expect, test } from "vitest";
import { readAnswer } from "@/data/engine/answers";
import { type AnswerContext, classifyAnswer } from "@/data/engine/send";

const plain: AnswerContext = { token: "unchecked", goneSettles: false, duplicate: null };

/** An answer of our server's, or of something in between. */
function response(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return new Response(status === 204 ? null : text, { status, headers });
}

const refusal = (status: number, code?: string, data: unknown = {}) =>
  response(status, { status, message: "No.", data, ...(code === undefined ? {} : { code }) });

const verdictOf = async (answer: Response, context: Partial<AnswerContext> = {}) =>
  classifyAnswer(await readAnswer(answer), { ...plain, ...context });

describe("what leaves open what happened is tried again under the same identity", () => {
  test.each([
    [
      "a portal's page with status 200",
      response(200, "<html>Welcome to the hotel</html>"),
      "network",
    ],
    ["an answer that is cut short", response(200, '{"id":"abc'), "network"],
    ["a portal's 403 that is JSON of its own", response(403, { error: "pay first" }), "network"],
    ["a 404 whose status is another's", response(404, { status: 200 }), "network"],
    ["a proxy's 502 page", response(502, "<h1>Bad gateway</h1>"), "network"],
    ["our server's 500", refusal(500), "server"],
    ["our server's 408", refusal(408), "timeout"],
  ])("%s", async (_name, answer, code) => {
    expect(await verdictOf(answer)).toEqual({ kind: "retry", code, after: null });
  });

  test("a limit says how long to wait", async () => {
    const body = { status: 429, message: "Slow down.", data: {}, code: "rate_limited" };
    const verdict = await verdictOf(response(429, body, { "Retry-After": "7" }));
    expect(verdict).toEqual({ kind: "retry", code: "rate_limited", after: 7_000 });
  });
});

describe("who is no longer taken for the same person is asked to sign in", () => {
  test("a 401 with our own word is about the token with which it was sent", async () => {
    const verdict = (token: "unchecked" | "good" | "bad") =>
      verdictOf(refusal(401, "unauthenticated"), { token });
    expect(await verdict("unchecked")).toEqual({ kind: "check-token" });
    expect(await verdict("bad")).toEqual({ kind: "needs-login" });
    expect(await verdict("good")).toEqual({ kind: "retry", code: "server", after: null });
  });

  test.each([400, 401, 403, 404])(
    "a bare %i may be said to a guest: the token is checked",
    async (status) => {
      expect(await verdictOf(refusal(status))).toEqual({ kind: "check-token" });
      expect(await verdictOf(refusal(status), { token: "bad" })).toEqual({ kind: "needs-login" });
    },
  );

  test.each([400, 401])(
    "a bare %i to a good token comes from a busy server and is tried again",
    async (status) => {
      const verdict = await verdictOf(refusal(status), { token: "good" });
      expect(verdict).toEqual({ kind: "retry", code: "server", after: null });
    },
  );

  test("to a good token a field's fault, and a bare 403 or 404, are final", async () => {
    const fault = refusal(400, undefined, { message: { code: "validation_required" } });
    for (const answer of [fault, refusal(403), refusal(404)]) {
      expect(await verdictOf(answer, { token: "good" })).toMatchObject({ kind: "refused" });
    }
  });

  test("gone is not believed before the token is known to be good", async () => {
    const wanted = { goneSettles: true } as const;
    expect(await verdictOf(refusal(404), wanted)).toEqual({ kind: "check-token" });
    expect(await verdictOf(refusal(404), { ...wanted, token: "bad" })).toEqual({
      kind: "needs-login",
    });
    expect(await verdictOf(refusal(404), { ...wanted, token: "good" })).toMatchObject({
      kind: "settled",
    });
  });
});

describe("a taken identity", () => {
  const taken = { id: { code: "validation_not_unique", message: "" } };

  test("is success where the identity alone says it all", async () => {
    const verdict = await verdictOf(refusal(400, undefined, taken), { duplicate: "settled" });
    expect(verdict).toEqual({ kind: "settled", body: null });
  });

  test("is compared where another could hold it", async () => {
    const verdict = await verdictOf(refusal(400, undefined, taken), { duplicate: "compare" });
    expect(verdict).toEqual({ kind: "compare" });
  });
});

test("our server's own word is final, with its sentence", async () => {
  const answer = response(403, {
    status: 403,
    message: "Not with them.",
    data: {},
    code: "blocked",
  });
  expect(await verdictOf(answer)).toEqual({
    kind: "refused",
    code: "blocked",
    message: "Not with them.",
  });
});

test("a server without room is shown, and not asked again by itself", async () => {
  expect(await verdictOf(refusal(507, "storage_full"))).toMatchObject({
    kind: "refused",
    code: "quota",
  });
});

test.each([
  [200, { id: "abc" }],
  [204, ""],
])("a %i is done", async (status, body) => {
  expect(await verdictOf(response(status, body))).toMatchObject({ kind: "settled" });
});
