import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { plainMedia } from "@/domain/older-media";

describe("an older record", () => {
  test("is read by the names that it carries", () => {
    const record = {
      id: "old",
      uid: "u1",
      file: "https://files.example.org/a.MOV?alt=media",
      thumbnail: "t.jpg",
      date: 1_600_000_000,
      title: "A title",
      picname: "a.mov",
      tags: "sea, , sky,sea",
    };
    expect(plainMedia(record)).toEqual({
      id: "old",
      userId: "u1",
      username: "",
      caption: "A title",
      tags: ["sea", "sky"],
      type: "video",
      file: "https://files.example.org/a.MOV?alt=media",
      thumbnail: "t.jpg",
      preview: "",
      alt: "",
      originalFilename: "a.mov",
      contentType: "",
      createdAt: 1_600_000_000_000,
      updatedAt: 1_600_000_000_000,
    });
  });

  test("gives way to the names of today where it has both", () => {
    const both = {
      caption: "New",
      title: "Old",
      userId: "new",
      uid: "old",
      url: "new",
      file: "old",
    };
    expect(plainMedia(both)).toMatchObject({ caption: "New", userId: "new", file: "new" });
    expect(plainMedia({ caption: "", title: "Old" }).caption).toBe("Old");
  });

  test.each([
    [1_600_000_000, 1_600_000_000_000],
    [1_600_000_000_123, 1_600_000_000_123],
    ["1600000000", 1_600_000_000_000],
    ["2020-09-13T12:26:40Z", 1_600_000_000_000],
    ["2020-09-13 12:26:40.000Z", 1_600_000_000_000],
    [{ seconds: 1_600_000_000, nanoseconds: 5 }, 1_600_000_000_000],
    [{ _seconds: 1_600_000_000, _nanoseconds: 0 }, 1_600_000_000_000],
    ["yesterday", 0],
    [-5, 0],
    [Number.NaN, 0],
    [Number.POSITIVE_INFINITY, 0],
    [null, 0],
    [{}, 0],
  ])("dated %j is of %d", (date, at) => {
    expect(plainMedia({ date }).createdAt).toBe(at);
  });

  test("is dated by its file's name where it has no date of its own", () => {
    const file = "https://example.com/photos/u1_1600000000123.jpg?token=x";
    expect(plainMedia({ file }).createdAt).toBe(1_600_000_000_123);
    expect(plainMedia({ file, date: 1_700_000_000 }).createdAt).toBe(1_700_000_000_000);
    expect(plainMedia({ file: "u1_16.jpg" }).createdAt).toBe(0);
  });

  test("is a video by its own word, its content type or its file's name, and otherwise a photo", () => {
    const types = [
      { type: "video", file: "a.jpg" },
      { type: "photo", file: "a.mp4" },
      { contentType: "video/webm", file: "a" },
      { file: "a.webm" },
      { type: "gif", file: "a.gif" },
    ].map((record) => plainMedia(record).type);
    expect(types).toEqual(["video", "photo", "video", "video", "photo"]);
  });
});

const NAMES = [
  ..."id userId uid username caption title tags type url file thumbnailUrl thumbnail preview alt".split(
    " ",
  ),
  ..."originalFilename picname filename contentType createdAt timestamp date updatedAt".split(" "),
];
const anyRecord = fc.dictionary(
  fc.constantFrom(...NAMES),
  fc.oneof(fc.anything({ withDate: true }), fc.integer(), fc.string(), fc.double()),
);

describe("anything at all", () => {
  test("becomes a medium of the one shape", () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        const plain = plainMedia(record);
        const { tags, type, createdAt, updatedAt, ...texts } = plain;
        expect(Object.values(texts).every((value) => typeof value === "string")).toBe(true);
        expect(["photo", "video"]).toContain(type);
        expect(tags.every((tag) => tag !== "" && tag === tag.trim())).toBe(true);
        expect(new Set(tags).size).toBe(tags.length);
        for (const at of [createdAt, updatedAt]) {
          expect(at === 0 || (Number.isInteger(at) && at >= 1e11 && at < 1e13)).toBe(true);
        }
      }),
    );
  });

  test("is the same when it is read again", () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        const once = plainMedia(record);
        expect(plainMedia({ ...once })).toEqual(once);
      }),
    );
  });
});
