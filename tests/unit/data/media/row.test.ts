import { expect, test } from "vitest";
import { mediaRow } from "@/data/media/row";

test("a record of today becomes a row with the paths of its files", () => {
  const row = mediaRow({
    id: "abcdefghijklmno",
    userId: "u",
    file: "u_1.jpg",
    thumbnail: "thumb_u_1.jpg",
    preview: "",
    tags: ["a", "b"],
    type: "photo",
    createdAt: "2026-11-21 07:38:00.000Z",
    likes: 2,
    views: 7,
    seq: 12,
  });
  expect(row).toMatchObject({
    url: "/api/files/media/abcdefghijklmno/u_1.jpg",
    thumbnailUrl: "/api/files/media/abcdefghijklmno/thumb_u_1.jpg",
    previewUrl: "",
    tags: ["a", "b"],
    createdAt: Date.parse("2026-11-21T07:38:00Z"),
    seq: 12,
  });
});

test("an older record is read by the names that it carries", () => {
  const row = mediaRow({
    id: "old",
    uid: "u",
    file: "https://files.example.org/a.jpg",
    thumbnail: "https://files.example.org/t.jpg",
    date: 1_600_000_000,
    title: "A title",
    picname: "a.jpg",
    tags: "sea, , sky",
  });
  expect(row).toMatchObject({
    userId: "u",
    url: "https://files.example.org/a.jpg",
    thumbnailUrl: "https://files.example.org/t.jpg",
    createdAt: 1_600_000_000_000,
    caption: "A title",
    originalFilename: "a.jpg",
    tags: ["sea", "sky"],
    type: "photo",
    likes: 0,
  });
});

test("what has no identity or no file is no medium", () => {
  expect(mediaRow({ file: "a.jpg" })).toBeNull();
  expect(mediaRow({ id: "abc" })).toBeNull();
});

test("newer rows, and more popular ones, sort first by an ascending key", () => {
  const at = (createdAt: number, likes: number, views: number) =>
    mediaRow({ id: "x", file: "a", createdAt, likes, views });
  const [older, newer] = [at(1_700_000_000_000, 1, 0), at(1_700_000_000_001, 0, 99)];
  expect(newer?.sortKey).toBeLessThan(older?.sortKey ?? 0);
  expect(older?.popularKey).toBeLessThan(newer?.popularKey ?? 0);
  expect(at(1, 1, 5)?.popularKey).toBeLessThan(at(1, 1, 4)?.popularKey ?? 0);
});
