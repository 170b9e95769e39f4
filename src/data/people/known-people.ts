/** People whose names this device knows: from profiles, from media and from comments. */
import { writeRecords } from "@/data/engine/apply";
import type { ScopeStores } from "@/data/engine/context";
import { pullIds } from "@/data/engine/lists";
import type { Ahead, Replica } from "@/data/engine/noun";
import type { KnownPerson, ProfileView } from "@/data/shapes";
import { otherPersonOf } from "@/domain/chats";
import { failed, ok } from "@/domain/result";
import { isTag } from "./follows";

type Named = Pick<KnownPerson, "id" | "username">;

/** Who has this name as far as the device knows. For when the server cannot be asked: it scans. */
export async function findKnownPerson(
  { replica }: Pick<ScopeStores, "replica">,
  nameKey: string,
): Promise<Named | null> {
  const profile = await replica.profiles.findOne({ selector: { nameKey } }).exec();
  if (profile !== null) return { id: profile.id, username: profile.username };
  for await (const rows of signed(replica)) {
    const row = rows.find(({ username }) => username.toLowerCase() === nameKey);
    if (row !== undefined) return { id: row.userId, username: row.username };
  }
  return null;
}

/** Names of people without a profile here, from what they shared or wrote. */
export async function findNames(
  { replica }: Pick<ScopeStores, "replica">,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  const wanted = new Set(ids);
  for await (const rows of signed(replica)) {
    for (const { userId, username } of rows) {
      if (username !== "" && wanted.delete(userId)) names.set(userId, username);
    }
    if (wanted.size === 0) break;
  }
  return names;
}

/** What carries the name of who made it. */
async function* signed({ media, comments }: Replica) {
  yield await media.find().exec();
  yield await comments.find().exec();
}

/** All that a name on its own can show; the rest is not known. */
export const partialProfile = ({ id, username }: Named): ProfileView => ({
  id,
  username,
  bio: "",
  profilePictureUrl: "",
  profileThumbnailUrl: "",
  followers: 0,
  following: 0,
  mediaCount: 0,
  isBlocked: false,
  createdAt: 0,
  pending: null,
  isPartial: true,
});

/** People whose names are fetched before a screen asks for them, at most. */
const NAMES_AHEAD = 500;

/** Those one has chats with, and those one follows, blocks or mutes: lists that open offline. */
export async function fetchNamesAhead({ replica, remote, userId, mayAsk }: Ahead) {
  const me = userId ?? "";
  const [chats, follows, blocks] = await Promise.all([
    replica.conversations.find({ sort: [{ sortKey: "asc" }], index: ["sortKey"] }).exec(),
    replica.follows.find({ selector: { followerId: me } }).exec(),
    replica.blocks.find().exec(),
  ]);
  const ids = new Set([
    ...chats.map(({ id }) => otherPersonOf(id, me) ?? ""),
    ...follows.map(({ followingId }) => followingId).filter((one) => !isTag(one)),
    ...blocks.map(({ blockedId, mutedId }) => blockedId || mutedId),
  ]);
  ids.delete("");
  const here = await replica.profiles.findByIds([...ids]).exec();
  const missing = [...ids].filter((id) => !here.has(id)).slice(0, NAMES_AHEAD);
  if (missing.length === 0) return ok(null);
  if (!(await mayAsk())) return failed("canceled");
  const pulled = await pullIds(remote, "profiles", missing, async (records) => {
    await writeRecords(replica, "profiles", records);
  });
  return pulled.success ? ok(null) : pulled;
}
