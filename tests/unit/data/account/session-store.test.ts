import { beforeEach, describe, expect, test } from "vitest";
import {
  readSessionState,
  readStoredSession,
  SESSION_KEY,
  writeStoredSession,
} from "@/data/account/session-store";

const stored = new Map<string, string>();
const store = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
};
beforeEach(() => stored.clear());

const session = {
  token: "a-token",
  user: { id: "abcdefghijklmno", email: "a@example.org", username: "ann", isAdmin: false },
  needsLogin: false,
};

describe("the stored session", () => {
  test("is read as it was written, and gone when it is taken away", () => {
    writeStoredSession(store, session);
    expect(readStoredSession(store)).toEqual(session);
    expect(readSessionState(store)).toEqual({
      state: "signed-in",
      user: session.user,
      needsLogin: false,
    });
    writeStoredSession(store, null);
    expect(stored.size).toBe(0);
    expect(readSessionState(store)).toEqual({ state: "signed-out" });
  });

  test("from a version that knew no device secrets is read as it is", () => {
    stored.set(SESSION_KEY, JSON.stringify(session));
    expect(readStoredSession(store)).toEqual(session);
    const secret = { id: "session00000001", secret: "s" };
    for (const [kept, read] of [
      [secret, secret],
      [{ id: 7 }, undefined],
      ["session", undefined],
      [null, undefined],
    ]) {
      stored.set(SESSION_KEY, JSON.stringify({ ...session, session: kept }));
      expect(readStoredSession(store)).toEqual(read ? { ...session, session: read } : session);
    }
  });

  test.each(["", "not json", "null", "[]", '{"token":""}', '{"token":"t","user":{"id":7}}'])(
    "%j is nobody's",
    (text) => {
      stored.set(SESSION_KEY, text);
      expect(readSessionState(store)).toEqual({ state: "signed-out" });
    },
  );
});
