/** What the person has saved: whether a medium is, the list with its folders, and what is done. */
import { useCallback } from "react";
import type { ClientWrites } from "@/data/client";
import type { Folders } from "@/data/saves/shapes";
import type { Loaded } from "@/data/shapes";
import { PAGE_SIZE } from "@/domain/limits";
import { useClient } from "./client-store";
import { telling } from "./media";
import { queueWrite } from "./outbox";
import { currentUser, useToLogin } from "./session";
import { usePager, useWhileLoading } from "./use-pager";
import { useLoaded, useWatch } from "./use-watch";

/** A visitor who saves is led to the login. */
export function useSave(mediaId: string) {
  const isSaved = useWatch(({ reads }) => reads.watchSave(mediaId), [mediaId], false);
  const toLogin = useToLogin();
  const toggle = () => {
    if (currentUser() === null) toLogin();
    else void setSave(mediaId, !isSaved);
  };
  return { isSaved, toggle };
}

const setSave = (mediaId: string, on: boolean): Promise<boolean> =>
  queueWrite((writes) => writes.setSave(mediaId, on), telling("saves.failed"));

/** All folders, and the one that the medium is in. */
export const useFolders = (mediaId = ""): Loaded<Folders> =>
  useLoaded((reads) => reads.watchFolders(mediaId), [mediaId]);

export type SavedList = ReturnType<typeof useSaved>;

/** What is in a folder, or with `null` all of it. */
export function useSaved(folderId: string | null) {
  const client = useClient();
  const key = folderId ?? "all";
  const { shown, showMore } = usePager({ key, step: PAGE_SIZE });
  const now = useLoaded((reads) => reads.watchSaved(folderId, shown), [folderId, shown]);
  const retry = useCallback(() => void client?.sync(), [client]);
  return { page: useWhileLoading(key, now), showMore, retry };
}

/** Saves it where it was not. `folderId`: "" for none. Resolves with whether it is queued. */
export const putInFolder = (mediaId: string, folderId: string, isSaved: boolean) =>
  queueWrite(
    ({ moveSave, setSave: save }) =>
      isSaved ? moveSave(mediaId, folderId) : save(mediaId, true, folderId),
    telling("saves.failed"),
  );

/** Its id, or null where it is not queued. */
export async function addFolder(name: string): Promise<string | null> {
  let id: string | null = null;
  const add = async (writes: ClientWrites) => {
    const made = await writes.createFolder(name);
    if (made.success) id = made.value.folderId;
    return made;
  };
  await queueWrite(add, telling("saves.folderFailed"));
  return id;
}

export const renameFolder = (folderId: string, name: string) =>
  queueWrite((writes) => writes.renameFolder(folderId, name), telling("saves.folderFailed"));

export const deleteFolder = (folderId: string) =>
  queueWrite((writes) => writes.deleteFolder(folderId), telling("saves.folderFailed"));
