/**
 * What a device is woken for by an empty push: it pulls, and reads out of the replica what is new
 * for this person and was not told before. So nobody between server and device reads a word.
 */
import type { Scope } from "@/data/engine/context";
import type { ClientDeps } from "@/data/engine/deps";
import { readRows } from "@/data/engine/outbox";
import { openScope } from "@/data/engine/scope";
import { areOfThisVersion } from "@/data/engine/versions";
import { hiderOf, mutesOf } from "@/data/people/mutes";
import { createShared } from "@/data/shared";
import { otherPersonOf, unreadCountOf } from "@/domain/chats";
import { readCounters, readTold, readWish, type Told } from "./told";

/** Something new: one for each conversation, each picture and kind. */
export type News =
  /** `text` is "" for a photo; `count` unread ones. */
  | { kind: "messages"; id: string; name: string; text: string; count: number }
  /** `name` and `text` are of the newest. */
  | { kind: "comments"; id: string; name: string; text: string; count: number }
  | { kind: "likes"; id: string; caption: string; count: number }
  | { kind: "follows"; id: string; count: number };

export interface AllNews {
  news: News[];
  /** How many messages nobody has read, by their conversations. */
  unread: ReadonlyMap<string, number>;
  /** To be written once it was told. */
  told: Told;
}

const WAIT_MS = 20_000;

/**
 * "off": this device is to tell nobody of anything. "unknown": the server cannot be asked, or the
 * databases are another version's.
 */
export async function readNews(deps: ClientDeps): Promise<AllNews | "off" | "unknown"> {
  const shared = createShared(deps);
  const session = shared.auth.session.getSnapshot();
  if (session.state !== "signed-in") return "off";
  const userId = session.user.id;
  const wish = await readWish(userId);
  if (wish === null) return "off";
  if (session.needsLogin) return "unknown";
  if (!(await areOfThisVersion(shared.nouns, deps.storage, userId))) return "unknown";
  const scope = await openScope(shared, userId);
  const late = new AbortController();
  try {
    if (shared.storage.getSnapshot() !== "persistent") return "unknown";
    const slow = deps.delay(WAIT_MS, late.signal).then(() => null);
    const pulled = await Promise.race([scope.loop.pull(), slow]);
    if (pulled === null || !pulled.success) return "unknown";
    const told = await readCounters(scope.replica, userId, deps.now());
    const unread = await readUnread(scope, userId);
    const before = await readTold(userId);
    if (before === null) return { news: [], unread, told };
    const chats = await readChats(scope, { before, told, unread });
    const pictures = await readPictures(scope, { before, told });
    const all = [...chats, ...pictures, ...newFollowers(before, told)];
    return { news: all.filter(({ kind }) => wish.kinds.includes(kind)), unread, told };
  } finally {
    late.abort();
    shared.remote.close();
    await scope.close();
  }
}

interface Since {
  before: Told;
  told: Told;
}

/** Read here neither, and not elsewhere. */
async function readUnread({ replica }: Scope, me: string): Promise<Map<string, number>> {
  const waiting = await readRows(replica, "pending", "sending");
  const reads = waiting.filter(({ kind }) => kind === "conversation.read");
  const readHere = new Set(reads.map(({ target }) => target));
  const chats = await replica.conversations.find().exec();
  return new Map(
    chats
      .filter((chat) => unreadCountOf(chat, me) > 0 && !readHere.has(chat.id))
      .map((chat) => [chat.id, unreadCountOf(chat, me)]),
  );
}

/** Of chats with more messages than were told, the last of them the other's. */
async function readChats(
  { replica }: Scope,
  { before, told, unread }: Since & { unread: ReadonlyMap<string, number> },
): Promise<News[]> {
  const me = told.userId;
  const found = await replica.conversations.findByIds([...unread.keys()]).exec();
  const fresh = [...found.values()].filter(
    ({ id, lastMessageBy, lastMessageType, messageCount }) =>
      lastMessageBy !== me && lastMessageType !== "" && messageCount > (before.chats[id] ?? 0),
  );
  const news = fresh.map(async ({ id, lastMessage, lastMessageType }): Promise<News> => {
    const profile = await replica.profiles.findOne(otherPersonOf(id, me) ?? "").exec();
    return {
      kind: "messages",
      id,
      name: profile?.username ?? "",
      text: lastMessageType === "photo" ? "" : lastMessage,
      count: unread.get(id) ?? 1,
    };
  });
  return Promise.all(news);
}

/** What others have said of one's own media, and how many more like them. */
async function readPictures({ replica }: Scope, { before, told }: Since): Promise<News[]> {
  const kept = await replica.blocks.find().exec();
  const blocked = new Set(kept.map(({ blockedId }) => blockedId));
  const hides = hiderOf(mutesOf(kept, new Map()), told.userId);
  const media = await replica.media.findByIds(Object.keys(told.likes)).exec();
  const news: News[] = [];
  for (const { id, caption, createdAt } of media.values()) {
    // An old one that has come to this device since: what it had already is no news.
    const start = createdAt >= before.at ? 0 : Infinity;
    const more = (told.comments[id] ?? 0) - (before.comments[id] ?? start);
    const said = more > 0 ? await replica.comments.find({ selector: { mediaId: id } }).exec() : [];
    const newest = said.sort((one, other) => other.createdAt - one.createdAt).slice(0, more);
    const [last, ...others] = newest.filter(
      ({ userId, text: words }) =>
        userId !== told.userId && !blocked.has(userId) && !hides(userId, words),
    );
    const { username: name = "", text = "" } = last ?? {};
    if (last) news.push({ kind: "comments", id, name, text, count: others.length + 1 });
    const count = (told.likes[id] ?? 0) - (before.likes[id] ?? start);
    if (count > 0) news.push({ kind: "likes", id, caption, count });
  }
  return news;
}

function newFollowers(before: Told, told: Told): News[] {
  const count = (told.followers ?? 0) - (before.followers ?? Infinity);
  return count > 0 ? [{ kind: "follows", id: told.userId, count }] : [];
}
