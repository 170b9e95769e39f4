/**
 * Addresses of protected files. A token lasts minutes and is reused for that time. Without one the
 * address names the user, for the service worker's cache; the server refuses it.
 */
import { isRecord } from "./answers";
import type { Remote } from "./remote";

/** Well within the server's 180 seconds. */
const FRESH_MS = 120_000;

export type FileTokens = ReturnType<typeof createFileTokens>;

export function createFileTokens(remote: Pick<Remote, "request">, now: () => number) {
  let kept: { userId: string; at: number; token: Promise<string | null> } | null = null;
  const ask = async (): Promise<string | null> => {
    const answer = await remote.request("/api/files/token", { method: "POST" });
    const body = answer.kind === "accepted" && isRecord(answer.body) ? answer.body : {};
    return typeof body["token"] === "string" ? body["token"] : null;
  };
  const tokenOf = async (userId: string): Promise<string> => {
    if (kept === null || kept.userId !== userId || Math.abs(now() - kept.at) > FRESH_MS) {
      kept = { userId, at: now(), token: ask() };
    }
    const mine = kept;
    const token = await mine.token;
    // The next one asks again.
    if (token === null && kept === mine) kept = null;
    return token ?? cacheMark(userId);
  };
  return {
    async urlFor(url: string, userId: string) {
      if (url === "" || url.startsWith("blob:")) return url;
      return `${url}?token=${encodeURIComponent(await tokenOf(userId))}`;
    },
  };
}

/** Shaped like a token, and none: see media-cache/cache.ts. */
export const cacheMark = (userId: string): string =>
  `cached.${btoa(JSON.stringify({ id: userId }))}.none`;
