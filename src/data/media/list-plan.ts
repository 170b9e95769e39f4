/** Which media a list holds that somebody wants to keep on this device, and their files. */
import { firstValueFrom } from "rxjs";
import { isRecord, toFailure } from "@/data/engine/answers";
import { writeRecords } from "@/data/engine/apply";
import type { Scope, Shared } from "@/data/engine/context";
import { parseList, pullRecords } from "@/data/engine/lists";
import { filterOf } from "@/data/engine/remote";
import { type RawRecord, textOf } from "@/data/engine/rows";
import { isTag } from "@/data/people/follows";
import { mutes$ } from "@/data/people/mutes";
import type { MediaView } from "@/data/shapes";
import type { ListKind } from "@/domain/kept-lists";
import { failed, ok, type Result } from "@/domain/result";
import { searchTerms } from "@/domain/search-terms";
import type { MediaRow } from "./row";
import { servedMedia } from "./views";
import { bringMedia, deepestKey, feedQuery, pullOlderMedia, windowOf } from "./windows";

/** More than the largest size takes of usual pictures. */
const MEDIA_MOST = 1_000;
const PAGES_MOST = 20;
const PAGE = 50;
/** Of each whom one follows, and how many of these: one request each. */
const NEWEST = 20;
const PEOPLE_MOST = 100;

interface Wish {
  kind: ListKind;
  /** A person's id, or the text that is looked for; "" of what one follows or has saved. */
  of: string;
}

/** As media-cache/kept-lists.ts takes it. */
interface Plan {
  plan: string[][];
  sizes: number[];
  plannedAt: number;
  /** What the person is called now; undefined for a list that is of no one person. */
  name?: string;
}

export const createListPlans = (
  shared: Shared,
  open: () => Promise<Scope>,
  address: (path: string) => string,
) => ({
  async plan({ kind, of }: Wish): Promise<Result<Plan>> {
    const scope = await open();
    const rows = await LISTS[kind](shared, scope, of);
    if (!rows.success) return rows;
    const media = rows.value.map((row) => servedMedia(row, address));
    const name = kind === "person" ? media[0]?.username : undefined;
    return ok({
      plan: media.map(filesOf),
      // Of a photo the file itself is not fetched.
      sizes: media.map(({ type, fileSize }) => (type === "video" ? fileSize : 0)),
      plannedAt: shared.deps.now(),
      ...(name === undefined ? {} : { name }),
    });
  },
});

/** What its page shows: of a photo the preview, because the file itself is many times as large. */
function filesOf({ type, url, previewUrl, thumbnailUrl }: MediaView): string[] {
  const shown = type === "video" ? [url, previewUrl, thumbnailUrl] : [previewUrl, thumbnailUrl];
  return [...new Set(shown)].filter((one) => one !== "");
}

type ReadRows = (shared: Shared, scope: Scope, of: string) => Promise<Result<MediaRow[]>>;

const LISTS: Record<ListKind, ReadRows> = {
  person: readPerson,
  search: readSearch,
  following: readFollowing,
  saved: readSaved,
};

/** Page by page, as somebody who scrolls: so that their list has no hole without a network. */
async function readPerson(
  { remote }: Shared,
  scope: Scope,
  userId: string,
): Promise<Result<MediaRow[]>> {
  const query = { userId, filter: "all", sort: "latest", limit: MEDIA_MOST } as const;
  for (let page = 0; page < PAGES_MOST; page++) {
    const pulled = await pullOlderMedia(remote, scope, query, {});
    if (!pulled.success) return pulled;
    if (!pulled.value.more) break;
  }
  const deepest = deepestKey(windowOf(scope.device.windows$.value, query));
  const docs = await scope.replica.media.find(feedQuery(query, { deepest })).exec();
  return ok(docs.map((doc) => doc.toJSON() as MediaRow));
}

async function readSearch(
  { remote }: Shared,
  { replica }: Scope,
  text: string,
): Promise<Result<MediaRow[]>> {
  const records: RawRecord[] = [];
  let before: string | undefined;
  for (let page = 0; page < PAGES_MOST; page++) {
    const query = { q: searchTerms(text).join(" "), limit: PAGE, before };
    const answer = await remote.request("/api/search", { query });
    if (answer.kind !== "accepted") return toFailure(answer);
    const body = isRecord(answer.body) ? answer.body : {};
    records.push(...(parseList({ items: body["media"] }) ?? []));
    before = typeof body["next"] === "string" ? body["next"] : "";
    if (body["more"] !== true || before === "") break;
  }
  return take(replica, records);
}

async function readFollowing({ remote }: Shared, scope: Scope): Promise<Result<MediaRow[]>> {
  const { replica, userId, status$ } = scope;
  // Whom one follows may not be here yet.
  if (!status$.value.filled) return failed("network");
  const { people: muted } = await firstValueFrom(mutes$(scope));
  const selector = { followerId: userId ?? "" };
  const follows = await replica.follows.find({ selector }).exec();
  const records: RawRecord[] = [];
  const people = follows.filter(
    ({ followingId }) => !isTag(followingId) && !muted.includes(followingId),
  );
  for (const { followingId } of people.slice(0, PEOPLE_MOST)) {
    const filter = filterOf("userId = {:userId}", { userId: followingId });
    const asked = { filter, sort: "-createdAt,-id", perPage: NEWEST };
    const pulled = await pullRecords(remote, "media", asked);
    if (!pulled.success) return pulled;
    records.push(...pulled.value);
  }
  return take(replica, records);
}

async function readSaved({ remote }: Shared, scope: Scope): Promise<Result<MediaRow[]>> {
  if (!scope.status$.value.filled) return failed("network");
  const { replica, overlay$ } = scope;
  const rows = (await replica.saves.find().exec()).filter(({ mediaId }) => mediaId !== "");
  const at = new Map(rows.map(({ mediaId, createdAt }) => [mediaId, createdAt]));
  for (const [id, { body, createdAt }] of (await firstValueFrom(overlay$)).saves)
    body.on ? at.set(id, at.get(id) ?? createdAt) : at.delete(id);
  const newest = [...at].sort(([, a], [, b]) => b - a).slice(0, MEDIA_MOST);
  const ids = newest.map(([id]) => id);
  const brought = await bringMedia(remote, replica, ids);
  if (!brought.success) return brought;
  const docs = await replica.media.findByIds(ids).exec();
  return ok(ids.flatMap((id) => (docs.get(id)?.toJSON() as MediaRow | undefined) ?? []));
}

/** Into the replica, where what is kept stays (windows.ts); the newest first. */
async function take(
  replica: Scope["replica"],
  records: readonly RawRecord[],
): Promise<Result<MediaRow[]>> {
  await writeRecords(replica, "media", records);
  const docs = await replica.media.findByIds(records.map((row) => textOf(row, "id"))).exec();
  const rows = [...docs.values()].map((doc) => doc.toJSON() as MediaRow);
  return ok(rows.sort((a, b) => b.createdAt - a.createdAt));
}
