/** What is shown of what one saved: the rows with what waits on top. */
import { expect, test } from "vitest";
import type { SaveRow } from "@/data/saves/row";
import { foldSaves } from "@/data/saves/views";

const ME = "me0000000000000";
const row = (half: string, more: Partial<SaveRow>): SaveRow => ({
  id: `${ME}_${half}`,
  userId: ME,
  mediaId: "",
  folderId: "",
  name: "",
  createdAt: 0,
  seq: 1,
  ...more,
});
const saved = (mediaId: string, createdAt: number, folderId = ""): SaveRow =>
  row(mediaId, { mediaId, createdAt, folderId });
const folder = (id: string, name: string): SaveRow => row(id, { name });
const waiting = (mediaId: string, on: boolean, createdAt: number, folderId?: string) =>
  [
    mediaId,
    {
      body: { userId: ME, mediaId, on, ...(folderId !== undefined && { folderId }) },
      mark: { state: "waiting" },
      createdAt,
    },
  ] as never;

const NOTHING = {
  saves: new Map(),
  movedSaves: new Map(),
  folderNames: new Map(),
  deletedFolders: new Set<string>(),
};

test("the newest save comes first, and folders stand by name with how many are in them", () => {
  const rows = [saved("a", 1, "sea"), saved("b", 3), folder("sea", "Sea"), folder("alp", "Alps")];
  expect(foldSaves(rows, NOTHING)).toEqual({
    saves: [
      { mediaId: "b", folderId: "", createdAt: 3 },
      { mediaId: "a", folderId: "sea", createdAt: 1 },
    ],
    folders: [
      { id: "alp", name: "Alps", count: 0 },
      { id: "sea", name: "Sea", count: 1 },
    ],
  });
});

test("what waits stands as wanted: saved, taken back, moved, named and without its folder", () => {
  const rows = [saved("a", 1), saved("b", 2), folder("sea", "Sea"), folder("old", "Old")];
  const overlay = {
    saves: new Map<string, never>([waiting("b", false, 9), waiting("c", true, 8, "new")]),
    movedSaves: new Map([
      ["a", "sea"],
      ["b", "sea"],
    ]),
    folderNames: new Map([
      ["new", "New"],
      ["sea", "Waves"],
    ]),
    deletedFolders: new Set(["old"]),
  };
  const { saves, folders } = foldSaves(rows, overlay);
  expect(saves.map(({ mediaId, folderId }) => `${mediaId} ${folderId}`)).toEqual([
    "c new",
    "a sea",
  ]);
  expect(folders.map(({ name, count }) => `${name} ${count}`)).toEqual(["New 1", "Waves 1"]);
});

test("what lies in a folder that is gone lies in none", () => {
  const { saves } = foldSaves([saved("a", 1, "sea"), folder("sea", "Sea")], {
    ...NOTHING,
    deletedFolders: new Set(["sea"]),
  });
  expect(saves).toMatchObject([{ folderId: "" }]);
});
