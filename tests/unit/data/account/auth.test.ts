import { expect, test } from "vitest";
import { createAuth } from "@/data/account/auth";
import { readStoredSession, writeStoredSession } from "@/data/account/session-store";
import { type Answer, noAnswer } from "@/data/engine/answers";
import type { Remote, Sender } from "@/data/engine/remote";

const ANN = { id: "abcdefghijklmno", email: "ann@example.org", username: "ann" };

/** A server that answers a refresh when it is told to, each time with a new token. */
function slowServer() {
  let token = "token 0";
  const asked: ((isAdmin: boolean) => void)[] = [];
  const remote = {
    token: () => token,
    setSender: (next: Sender) => {
      token = next.token;
    },
    refresh: () =>
      new Promise<Answer>((resolve) => {
        const body = { token: `token ${asked.length + 1}` };
        asked.push((isAdmin) =>
          resolve({
            kind: "accepted",
            status: 200,
            body: { ...body, record: { ...ANN, isAdmin } },
          }),
        );
      }),
  };
  return { remote: remote as unknown as Remote, asked };
}

function annsStore() {
  const stored = new Map<string, string>();
  const store = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  };
  const user = { ...ANN, isAdmin: true };
  writeStoredSession(store, { token: "token 0", user, needsLogin: false });
  return store;
}

const annsAuth = (remote: Remote, store = annsStore()) =>
  createAuth(remote, store, { onSuspended: () => {}, onGuesses: () => {} });

/** A server to which the token is dead. */
function deafServer(): Remote {
  const refusal = { kind: "refusal", status: 401, message: "", fields: {} } as const;
  const remote = {
    token: () => "token 0",
    setSender: () => {},
    refresh: async () => ({ ...refusal, code: null }),
    request: async () => ({ ...refusal, code: "unauthenticated" }),
  };
  return remote as unknown as Remote;
}

test("each of two tabs asks to sign in, whichever of them stored it", async () => {
  const store = annsStore();
  const [first, second, third] = [1, 2, 3].map(() => annsAuth(deafServer(), store));
  await first?.refresh();
  expect(second?.session.getSnapshot()).toMatchObject({ needsLogin: false });
  await second?.refresh();
  third?.check();
  for (const tab of [first, second, third])
    expect(tab?.session.getSnapshot()).toMatchObject({ state: "signed-in", needsLogin: true });
});

test("a refresh asked for while another is under way hears what the server says after it", async () => {
  const { remote, asked } = slowServer();
  const auth = annsAuth(remote);
  const before = auth.refresh();
  await expect.poll(() => asked.length).toBe(1);
  const after = [auth.refresh(), auth.refresh()];
  asked[0]?.(true);
  expect(await before).toMatchObject({ success: true, value: { isAdmin: true } });
  await expect.poll(() => asked.length).toBe(2);
  asked[1]?.(false);
  for (const answer of await Promise.all(after))
    expect(answer).toMatchObject({ success: true, value: { isAdmin: false } });
  expect(asked).toHaveLength(2);
  expect(remote.token()).toBe("token 2");
});

const REFUSAL = { kind: "refusal", message: "", fields: {} } as const;
const SECRET = { id: "session00000001", secret: "s".repeat(43) };

/** A server that takes the newest token alone, and renews for whoever knows the secret. */
function renewingServer({ renewal }: { renewal: Answer | null } = { renewal: null }) {
  let sender: Sender = { token: "", userId: "", session: "" };
  let newest = "";
  const paths: string[] = [];
  const accepted = (token: string): Answer => {
    newest = token;
    return { kind: "accepted", status: 200, body: { token, record: { ...ANN, isAdmin: false } } };
  };
  const remote = {
    token: () => sender.token,
    setSender: (next: Sender) => {
      sender = next;
    },
    refresh: async () =>
      sender.token === newest
        ? accepted(`${newest}+`)
        : { ...REFUSAL, status: 401, code: "unauthenticated" },
    request: async (path: string) => {
      paths.push(path);
      const isRight = sender.session === `${SECRET.id}.${SECRET.secret}`;
      if (path.endsWith("/renew") && renewal !== null) return renewal;
      if (path.endsWith("/renew") && isRight) return accepted("renewed");
      return { ...REFUSAL, status: 401, code: "unauthenticated" };
    },
  };
  return { remote: remote as unknown as Remote, paths, sender: () => sender };
}

const withSecret = (store = annsStore()) => {
  const user = { ...ANN, isAdmin: false };
  writeStoredSession(store, { token: "dead", user, needsLogin: false, session: SECRET });
  return store;
};

test("a dead token is renewed with the device's secret, once for all who wait", async () => {
  const { remote, paths } = renewingServer();
  const store = withSecret();
  const auth = annsAuth(remote, store);
  const verdicts = await Promise.all([1, 2, 3].map(() => auth.judgeToken("dead")));
  expect(verdicts).toEqual(["renewed", "renewed", "renewed"]);
  expect(paths).toEqual(["/api/account/sessions/renew"]);
  expect(readStoredSession(store)).toMatchObject({ needsLogin: false, session: SECRET });
  expect(await auth.judgeToken(remote.token())).toBe("good");
});

test("what another tab renewed is used, and not renewed again", async () => {
  const { remote, paths, sender } = renewingServer();
  const store = withSecret();
  const [first, second] = [annsAuth(remote, store), annsAuth(remote, store)];
  expect(await first.judgeToken("dead")).toBe("renewed");
  const renewed = sender();
  remote.setSender({ ...renewed, token: "dead" });
  expect(await second.judgeToken("dead")).toBe("renewed");
  expect(sender()).toEqual(renewed);
  expect(paths).toHaveLength(1);
});

test.each([
  ["that is lost", noAnswer("network")],
  ["of a busy server", { ...noAnswer("network"), code: "rate_limited", status: 429, ours: true }],
] as const)("a renewal %s ends nothing", async (_name, renewal) => {
  const { remote } = renewingServer({ renewal });
  const store = withSecret();
  const auth = annsAuth(remote, store);
  expect(await auth.judgeToken("dead")).toBe("unchecked");
  expect(auth.session.getSnapshot()).toMatchObject({ needsLogin: false });
  expect(readStoredSession(store)).toMatchObject({ token: "dead", session: SECRET });
});

test("a session that has ended asks to sign in, and keeps the person", async () => {
  const renewal = { ...REFUSAL, status: 401, code: "unauthenticated" } as const;
  const { remote } = renewingServer({ renewal });
  const auth = annsAuth(remote, withSecret());
  expect(await auth.judgeToken("dead")).toBe("unchecked");
  expect(auth.session.getSnapshot()).toMatchObject({ user: { id: ANN.id }, needsLogin: true });
});
