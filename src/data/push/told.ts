/**
 * How far the notifications of this device have told of what is new: by the server's own counters,
 * so that no clock matters. It lies in the cache of the session, and goes with it.
 */
import { SESSION_CACHE } from "@/data/account/session-copy";
import type { Replica } from "@/data/engine/noun";
import type { PushKind, QuietHours } from "@/domain/push";

/** What a person wants to be told of on this device. */
export interface Wish {
  userId: string;
  kinds: readonly PushKind[];
  quiet: QuietHours | null;
  /** Where its pushes came to when this was said to the server; earlier ones lack it. */
  endpoint?: string;
}

type Counters = Readonly<Record<string, number>>;

export interface Told {
  userId: string;
  /** Milliseconds since 1970: what was made later begins with nothing told. */
  at: number;
  /** Messages, by their conversation. */
  chats: Counters;
  /** Comments and likes, by one's own media that are on this device. */
  comments: Counters;
  likes: Counters;
  /** Null where one's own profile is not on this device. */
  followers: number | null;
}

export async function readCounters(replica: Replica, userId: string, at: number): Promise<Told> {
  const [chats, media, profile] = await Promise.all([
    replica.conversations.find().exec(),
    replica.media.find({ selector: { userId } }).exec(),
    replica.profiles.findOne(userId).exec(),
  ]);
  return {
    userId,
    at,
    chats: Object.fromEntries(chats.map(({ id, messageCount }) => [id, messageCount])),
    comments: Object.fromEntries(media.map(({ id, comments }) => [id, comments])),
    likes: Object.fromEntries(media.map(({ id, likes }) => [id, likes])),
    followers: profile?.followers ?? null,
  };
}

/**
 * Two entries, because the page writes the one and the worker the other. The first is looked for in
 * data/when-closed.ts, too.
 */
const WISH = "/push-wish";
const TOLD = "/told";

async function write(entry: string, value: object): Promise<void> {
  // Where the session has ended meanwhile, nothing of it may come back.
  if (await caches.has(SESSION_CACHE))
    await (await caches.open(SESSION_CACHE)).put(entry, new Response(JSON.stringify(value)));
}

async function read<T extends { userId: string }>(entry: string, userId: string) {
  const found = await caches.match(entry, { cacheName: SESSION_CACHE });
  const value: T | null = found === undefined ? null : await found.json();
  return value?.userId === userId ? value : null;
}

export const writeWish = (wish: Wish): Promise<void> => write(WISH, wish);
export const writeTold = (told: Told): Promise<void> => write(TOLD, told);
export const readWish = (userId: string) => read<Wish>(WISH, userId);
export const readTold = (userId: string) => read<Told>(TOLD, userId);

/** This device tells of nothing from now on. */
export async function forgetTold(): Promise<void> {
  if (!(await caches.has(SESSION_CACHE))) return;
  const cache = await caches.open(SESSION_CACHE);
  await Promise.all([cache.delete(WISH), cache.delete(TOLD)]);
}
