/** What the person has saved, as screens show it; and which media are brought here for it. */
import { combineLatest, distinctUntilChanged, map, type Observable, of, switchMap } from "rxjs";
import type { Scope, Shared } from "@/data/engine/context";
import {
  type Asked,
  askUntilAnswered,
  byIds$,
  loadedOf,
  rowOf,
  rowsOf,
  sameList,
  type Views,
} from "@/data/engine/live";
import type { Ahead, Overlay } from "@/data/engine/noun";
import type { MediaRow } from "@/data/media/row";
import { foldContext$, foldMedia } from "@/data/media/views";
import { bringMedia } from "@/data/media/windows";
import { blockedIds$ } from "@/data/people/views";
import type { Loaded } from "@/data/shapes";
import { pairId } from "@/domain/ids";
import { failed, ok, type Result } from "@/domain/result";
import type { SaveRow } from "./row";
import type { Folder, Folders, SavedPage } from "./shapes";

export const createSaveReads = ({ shared, address, loaded, value }: Views) => ({
  /** Whether a medium is saved. */
  watchSave: (mediaId: string) =>
    value(`save ${mediaId}`, (scope) => watchSave(scope, mediaId), false),
  /** What is in a folder, or with `null` all of it, newest first. */
  watchSaved: (folderId: string | null, limit: number) =>
    loaded({ key: `saved ${folderId ?? "all"}`, limit }, (scope) =>
      watchSaved(shared, { scope, address }, { folderId, limit }),
    ),
  /** All folders, by name, and the one that a medium is in: "" for none. */
  watchFolders: (mediaId = "") =>
    loaded<Folders>(`folders ${mediaId}`, (scope) =>
      combineLatest([saved$(scope), scope.status$]).pipe(
        map(([{ folders, saves }, status]) => {
          const folderId = saves.find((save) => save.mediaId === mediaId)?.folderId ?? "";
          return loadedOf({ folders, folderId }, folders.length > 0, status);
        }),
      ),
    ),
  /** Ids of all that is saved, newest first. */
  watchSavedIds: () =>
    value<readonly string[]>(
      "saved ids",
      (scope) =>
        saved$(scope).pipe(
          map(({ saves }) => saves.map(({ mediaId }) => mediaId)),
          distinctUntilChanged(sameList),
        ),
      [],
    ),
});

function watchSave({ replica, overlay$, userId }: Scope, mediaId: string): Observable<boolean> {
  if (userId === null) return of(false);
  const row$ = rowOf<SaveRow>(replica.saves.findOne(pairId(userId, mediaId)));
  return combineLatest([row$, overlay$]).pipe(
    map(([row, { saves }]) => saves.get(mediaId)?.body.on ?? row !== null),
    distinctUntilChanged(),
  );
}

type SaveOverlay = Pick<Overlay, "saves" | "movedSaves" | "folderNames" | "deletedFolders">;

interface Save {
  mediaId: string;
  folderId: string;
  createdAt: number;
}

interface Saved {
  /** Newest first. */
  saves: Save[];
  /** By name. */
  folders: Folder[];
}

const saved$ = ({ replica, overlay$, userId }: Scope): Observable<Saved> =>
  userId === null
    ? of({ saves: [], folders: [] })
    : combineLatest([rowsOf<SaveRow>(replica.saves.find()), overlay$]).pipe(
        map(([rows, overlay]) => foldSaves(rows, overlay)),
      );

/** The rows with the overlay on top (law 1). Pure. */
export function foldSaves(rows: readonly SaveRow[], overlay: SaveOverlay): Saved {
  const names = namesOf(rows, overlay);
  const saves = [...savesOf(rows, overlay)]
    // Of those of one moment the last comes first.
    .reverse()
    .map((save) => (names.has(save.folderId) ? save : { ...save, folderId: "" }))
    .sort((a, b) => b.createdAt - a.createdAt);
  const counts = new Map<string, number>();
  for (const { folderId } of saves) counts.set(folderId, (counts.get(folderId) ?? 0) + 1);
  const folders = [...names]
    .map(([id, name]) => ({ id, name, count: counts.get(id) ?? 0 }))
    .sort((a, b) => a.name.localeCompare(b.name));
  return { saves, folders };
}

function savesOf(rows: readonly SaveRow[], overlay: SaveOverlay): Iterable<Save> {
  const stored = rows.filter(({ mediaId }) => mediaId !== "");
  const saves = new Map<string, Save>(
    stored.map(({ mediaId, folderId, createdAt }) => [mediaId, { mediaId, folderId, createdAt }]),
  );
  for (const [mediaId, { body, createdAt }] of overlay.saves) {
    const { on, folderId = "" } = body;
    if (!on) saves.delete(mediaId);
    else if (!saves.has(mediaId)) saves.set(mediaId, { mediaId, folderId, createdAt });
  }
  for (const [mediaId, folderId] of overlay.movedSaves) {
    const save = saves.get(mediaId);
    if (save !== undefined) saves.set(mediaId, { ...save, folderId });
  }
  return saves.values();
}

/** By the ids of the folders. */
function namesOf(rows: readonly SaveRow[], overlay: SaveOverlay): Map<string, string> {
  const stored = rows.filter(({ mediaId }) => mediaId === "");
  const names = new Map(stored.map(({ id, name }) => [id.slice(id.indexOf("_") + 1), name]));
  for (const [id, name] of overlay.folderNames) names.set(id, name);
  for (const id of overlay.deletedFolders) names.delete(id);
  return names;
}

interface Shown {
  scope: Scope;
  address: (path: string) => string;
}

interface Asking {
  folderId: string | null;
  limit: number;
}

function watchSaved(
  shared: Shared,
  { scope, address }: Shown,
  { folderId, limit }: Asking,
): Observable<Loaded<SavedPage>> {
  const ids$ = saved$(scope).pipe(
    map(({ saves }) =>
      saves
        .filter((save) => folderId === null || save.folderId === folderId)
        .map(({ mediaId }) => mediaId),
    ),
    distinctUntilChanged(sameList),
  );
  const context$ = foldContext$(scope, address);
  const hidden$ = blockedIds$(scope);
  return ids$.pipe(
    switchMap((ids) => {
      const wanted = ids.slice(0, limit);
      const rows$ = byIds$<MediaRow>(scope.replica.media, wanted);
      const asked$ = askUntilAnswered(shared, scope, () =>
        bringMedia(shared.remote, scope.replica, wanted),
      );
      return combineLatest([rows$, context$, asked$, hidden$, scope.status$]).pipe(
        map(([rows, context, asked, hidden, status]) => {
          const items = rows
            .filter(({ id, userId }) => {
              return !hidden.includes(userId) && !context.overlay.deletedMedia.has(id);
            })
            .map((row) => foldMedia(row, context));
          const page = { items, hasMore: ids.length > limit, incomplete: asked?.success === false };
          if (ids.length === 0) return loadedOf(page, false, status);
          return pageOf(page, asked);
        }),
      );
    }),
  );
}

/** Nothing here and not asked is not "nothing saved" (law 4). */
function pageOf(page: SavedPage, asked: Asked<null>): Loaded<SavedPage> {
  if (page.items.length > 0 || asked?.success === true) return { state: "ready", value: page };
  return asked === null ? { state: "loading" } : { state: "failed", code: asked.error };
}

/** As many as one request asks for. */
const PART = 100;
/** The newest of them are here before anybody asks. */
const AHEAD_MOST = 1_000;

export async function fetchSavedAhead({ remote, replica, mayAsk }: Ahead): Promise<Result<null>> {
  const rows = await replica.saves.find().exec();
  const ids = rows
    .filter(({ mediaId }) => mediaId !== "")
    .sort((a, b) => b.createdAt - a.createdAt)
    .slice(0, AHEAD_MOST)
    .map(({ mediaId }) => mediaId);
  const here = await replica.media.findByIds(ids).exec();
  const missing = ids.filter((id) => !here.has(id));
  for (let at = 0; at < missing.length; at += PART) {
    if (!(await mayAsk())) return failed("canceled");
    const pulled = await bringMedia(remote, replica, missing.slice(at, at + PART));
    if (!pulled.success) return pulled;
  }
  return ok(null);
}
