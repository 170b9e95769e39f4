import { expect, test } from "vitest";
import { createAuth } from "@/data/account/auth";
import { writeStoredSession } from "@/data/account/session-store";
import type { Answer } from "@/data/engine/answers";
import type { Remote } from "@/data/engine/remote";

const ANN = { id: "abcdefghijklmno", email: "ann@example.org", username: "ann" };

/** A server that answers a refresh when it is told to, each time with a new token. */
function slowServer() {
  let token = "token 0";
  const asked: ((isAdmin: boolean) => void)[] = [];
  const remote = {
    token: () => token,
    setToken: (next: string) => {
      token = next;
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

const annsAuth = (remote: Remote, store = annsStore()) => createAuth(remote, store, () => {});

/** A server to which the token is dead. */
function deafServer(): Remote {
  const refusal = { kind: "refusal", status: 401, message: "", fields: {} } as const;
  const remote = {
    token: () => "token 0",
    setToken: () => {},
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
