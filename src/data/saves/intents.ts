/** What can be done offline with what one saves: the kinds of intent, and the writes at the end. */
import type { Acts } from "@/data/engine/enqueue";
import { defineChange, defineKind, type Replica } from "@/data/engine/noun";
import { records, togglePair } from "@/data/engine/remote";
import { mediaLane } from "@/data/media/intents";
import type { Queued } from "@/data/shapes";
import { newId, pairId } from "@/domain/ids";
import { FOLDER_NAME_MAX } from "@/domain/limits";
import { failed, ok, type Result } from "@/domain/result";
import { isBlank } from "@/domain/texts";

export interface SaveToSet {
  userId: string;
  mediaId: string;
  on: boolean;
  /** Missing for none. */
  folderId?: string;
}

interface SaveToMove {
  userId: string;
  mediaId: string;
  /** "" for none. */
  folderId: string;
}

interface FolderToName {
  userId: string;
  folderId: string;
  name: string;
}

interface FolderToDelete {
  userId: string;
  folderId: string;
}

declare module "@/data/engine/noun" {
  interface IntentBodies {
    "save.set": SaveToSet;
    "save.move": SaveToMove;
    "folder.create": FolderToName;
    "folder.rename": FolderToName;
    "folder.delete": FolderToDelete;
  }
  interface Overlay {
    /** By medium. */
    saves: ReadonlyMap<string, Waiting<SaveToSet>>;
    /** The folder that a save is to be in, by medium. */
    movedSaves: ReadonlyMap<string, string>;
    /** By their ids, new ones too. */
    folderNames: ReadonlyMap<string, string>;
    deletedFolders: ReadonlySet<string>;
  }
}

export const emptySaveOverlay = () => ({
  saves: new Map(),
  movedSaves: new Map(),
  folderNames: new Map(),
  deletedFolders: new Set<string>(),
});

const ofMedium = {
  lane: ({ mediaId }: { mediaId: string }) => mediaLane({ mediaId }),
  target: ({ mediaId }: { mediaId: string }) => mediaId,
  subject: ({ mediaId }: { mediaId: string }) => ({ name: "media", id: mediaId }) as const,
};

const save = defineKind<"save.set">({
  ...ofMedium,
  kind: "save.set",
  needs: ["userId", "mediaId"],
  toggle: true,
  request: ({ userId, mediaId, on, folderId = "" }) =>
    togglePair("saves", pairId(userId, mediaId), on, { userId, mediaId, folderId }),
  // Nothing to take back, or the medium went meanwhile.
  goneSettles: () => true,
  // Saved on another device: it stays in the folder that it has there.
  duplicateSettles: () => true,
  lay(overlay, waiting) {
    overlay.saves.set(waiting.body.mediaId, waiting);
    overlay.movedSaves.delete(waiting.body.mediaId);
  },
  makes: ({ userId, mediaId, on }) => ({ name: "saves", id: pairId(userId, mediaId), on }),
  about: ({ mediaId, on }) => (on ? { name: "media", id: mediaId } : null),
});

const move = defineKind<"save.move">({
  ...ofMedium,
  kind: "save.move",
  needs: ["userId", "mediaId", "folderId"],
  toggle: true,
  request: ({ userId, mediaId, folderId }) => ({
    path: records("saves", pairId(userId, mediaId)),
    method: "PATCH",
    body: { folderId },
  }),
  goneSettles: () => true,
  lay: (overlay, { body }) => overlay.movedSaves.set(body.mediaId, body.folderId),
  about: ({ userId, mediaId }) => ({ name: "saves", id: pairId(userId, mediaId) }),
  change: defineChange<SaveToMove, string | undefined>({
    before: ({ replica }, { userId, mediaId }) => readFolder(replica, pairId(userId, mediaId)),
    remember: (before, { folderId }) => (before === folderId ? {} : null),
    // One that the server lost comes again in the folder in which it was first saved.
    async isLost({ replica, isLost }, { userId, mediaId, folderId }, { before, isAcked }) {
      if (!isAcked && before !== folderId) return false;
      const id = pairId(userId, mediaId);
      return isLost({ name: "saves", id }) || (await readFolder(replica, id)) !== folderId;
    },
  }),
});

type Saves = Pick<Replica, "saves">;

const readFolder = async ({ saves }: Saves, id: string) =>
  (await saves.findOne(id).exec())?.folderId;
const readName = async ({ saves }: Saves, id: string) => (await saves.findOne(id).exec())?.name;

const ofFolder = {
  lane: ({ folderId }: FolderToDelete) => `folder:${folderId}`,
  target: ({ folderId }: FolderToDelete) => folderId,
};

const createFolder = defineKind<"folder.create">({
  ...ofFolder,
  kind: "folder.create",
  needs: ["userId", "folderId", "name"],
  request: ({ userId, folderId, name }) => ({
    path: records("saves"),
    method: "POST",
    body: { id: pairId(userId, folderId), userId, name },
  }),
  duplicateSettles: () => true,
  lay: (overlay, { body }) => overlay.folderNames.set(body.folderId, body.name),
  makes: ({ userId, folderId }) => ({ name: "saves", id: pairId(userId, folderId), on: true }),
  label: ({ name }) => name,
});

const renameFolder = defineKind<"folder.rename">({
  ...ofFolder,
  kind: "folder.rename",
  needs: ["userId", "folderId", "name"],
  toggle: true,
  request: ({ userId, folderId, name }) => ({
    path: records("saves", pairId(userId, folderId)),
    method: "PATCH",
    body: { name },
  }),
  goneSettles: () => true,
  lay: (overlay, { body }) => overlay.folderNames.set(body.folderId, body.name),
  about: ({ userId, folderId }) => ({ name: "saves", id: pairId(userId, folderId) }),
  change: defineChange<FolderToName, string | undefined>({
    before: ({ replica }, { userId, folderId }) => readName(replica, pairId(userId, folderId)),
    remember: (before, { name }) => (before === name ? {} : null),
    async isLost({ replica, isLost }, { userId, folderId, name }, { before, isAcked }) {
      if (!isAcked && before !== name) return false;
      const id = pairId(userId, folderId);
      return isLost({ name: "saves", id }) || (await readName(replica, id)) !== name;
    },
  }),
  label: ({ name }) => name,
});

const deleteFolder = defineKind<"folder.delete">({
  ...ofFolder,
  kind: "folder.delete",
  needs: ["userId", "folderId"],
  request: ({ userId, folderId }) => ({
    path: records("saves", pairId(userId, folderId)),
    method: "DELETE",
  }),
  goneSettles: () => true,
  lay: (overlay, { body }) => overlay.deletedFolders.add(body.folderId),
  change: { isLost: () => true },
  undoes: (later, row) =>
    (row.kind === createFolder.kind || row.kind === renameFolder.kind) &&
    row.target === later.target,
  deletes: true,
});

export const saveKinds = [save, move, createFolder, renameFolder, deleteFolder];

export function createSaveWrites(acts: Acts) {
  return {
    /** `folderId` is where a new one goes, "" for none. */
    setSave: (mediaId: string, on: boolean, folderId = ""): Promise<Result<Queued>> =>
      acts.enqueueAs(({ id: userId }) => ({
        kind: "save.set",
        body: { userId, mediaId, on, ...(folderId && { folderId }) },
      })),
    /** `folderId` is "" for none. */
    moveSave: (mediaId: string, folderId: string): Promise<Result<Queued>> =>
      acts.enqueueAs(({ id: userId }) => ({
        kind: "save.move",
        body: { userId, mediaId, folderId },
      })),
    async createFolder(words: string): Promise<Result<{ folderId: string }>> {
      const named = nameOf(words);
      if (!named.success) return named;
      const folderId = newId(acts.shared.deps.random);
      const queued = await acts.enqueueAs(({ id: userId }) => ({
        kind: "folder.create",
        body: { userId, folderId, name: named.value },
      }));
      return queued.success ? ok({ folderId }) : queued;
    },
    async renameFolder(folderId: string, words: string): Promise<Result<Queued>> {
      const named = nameOf(words);
      if (!named.success) return named;
      return acts.enqueueAs(({ id: userId }) => ({
        kind: "folder.rename",
        body: { userId, folderId, name: named.value },
      }));
    },
    deleteFolder: (folderId: string): Promise<Result<Queued>> =>
      acts.enqueueAs(({ id: userId }) => ({ kind: "folder.delete", body: { userId, folderId } })),
  };
}

function nameOf(words: string): Result<string> {
  const name = words.trim();
  if (isBlank(name)) return failed("text_empty");
  return name.length > FOLDER_NAME_MAX ? failed("text_long") : ok(name);
}
