import { describe, expect, test } from "vitest";
import {
  type EntryPhase,
  tally,
  textsOf,
  tick,
  type UploadEntry,
  withFate,
} from "@/features/upload/upload-entry";
import { createPost, faultsOfEach, uploadFaults } from "@/features/upload/use-upload";

let id = 0;
const entry = (phase: EntryPhase): UploadEntry => ({
  id: ++id,
  file: new File(["x"], "a.jpg"),
  preview: "",
  size: 1,
  phase,
  prepared: null,
  converted: null,
  rarelyPlays: false,
  missing: null,
  queued: null,
  inbox: null,
  caption: null,
  tags: null,
  alt: "",
});
const bar = (one: UploadEntry): number =>
  one.phase.state === "uploading" ? one.phase.progress : -1;

test("the simulated bar grows and never passes 90", () => {
  let one = entry({ state: "uploading", progress: 0 });
  let before = 0;
  for (let i = 0; i < 500; i++) {
    one = tick(one);
    expect(bar(one)).toBeGreaterThanOrEqual(before);
    before = bar(one);
  }
  expect(before).toBeGreaterThan(85);
  expect(before).toBeLessThanOrEqual(90);
});

test("real bytes drive the bar, which never goes back and stops at 90 until the answer", () => {
  let one = entry({ state: "uploading", progress: 30 });
  one = withFate(one, { state: "sending", progress: 10 });
  expect(bar(one)).toBe(30);
  one = withFate(one, { state: "sending", progress: 100 });
  expect(bar(one)).toBe(90);
  expect(withFate(one, { state: "uploaded" }).phase.state).toBe("uploaded");
});

test("a refusal is a failure with its reason; waiting is neither", () => {
  const one = entry({ state: "uploading", progress: 0 });
  expect(withFate(one, { state: "waiting" }).phase).toEqual({ state: "queued" });
  expect(withFate(one, { state: "refused", code: "quota", message: "" }).phase).toEqual({
    state: "failed",
    code: "quota",
    message: "",
  });
});

test("unfit files count as failed", () => {
  const entries = [
    entry({ state: "uploaded" }),
    entry({ state: "queued" }),
    entry({ state: "unfit", code: "file_type" }),
    entry({ state: "failed", code: "server", message: "" }),
  ];
  expect(tally(entries)).toEqual({ total: 4, uploaded: 1, queued: 1, failed: 2, busy: 0 });
});

test("files, rights, caption and tags are asked for before anything is sent", () => {
  const ready = [entry({ state: "ready" })];
  const form = { caption: "", tags: "", each: false, rights: true };
  expect(uploadFaults(form, ready, "ada")).toEqual({});
  expect(uploadFaults(form, ready, "")).toEqual({ files: "upload.userMissing" });
  expect(uploadFaults(form, [], "ada")).toEqual({ files: "errors.file_missing" });
  expect(uploadFaults({ ...form, rights: false }, ready, "ada")).toHaveProperty("rights");
  expect(uploadFaults({ ...form, caption: "x".repeat(2201) }, ready, "ada")).toHaveProperty(
    "caption",
  );
  expect(uploadFaults({ ...form, tags: "x".repeat(51) }, ready, "ada")).toEqual({
    tags: "errors.tag_long",
  });
});

describe("what is said of each file", () => {
  const common = { caption: "By the sea", tags: "sea", each: false };
  const each = { ...common, each: true };
  const ready = (texts: Partial<UploadEntry> = {}) => ({ ...entry({ state: "ready" }), ...texts });

  test("is the same for all, and its own description", () => {
    const one = ready({ caption: "Mine", tags: "mine", alt: "A boat" });
    expect(textsOf(one, common)).toEqual({ caption: "By the sea", tags: "sea", alt: "A boat" });
  });

  test("is its own where each has some, and begins with what was written for all", () => {
    expect(textsOf(ready(), each)).toEqual({ caption: "By the sea", tags: "sea", alt: "" });
    const emptied = ready({ caption: "", tags: "boat" });
    expect(textsOf(emptied, each)).toEqual({ caption: "", tags: "boat", alt: "" });
  });

  test("has faults of its own, at its field", () => {
    const faulty = ready({ caption: "x".repeat(2201), tags: "y".repeat(51) });
    const wordy = ready({ alt: "z".repeat(1001) });
    expect(faultsOfEach(each, [ready(), faulty, wordy])).toEqual(
      new Map([
        [faulty.id, { caption: "errors.caption_long", tags: "errors.tag_long" }],
        [wordy.id, { alt: "upload.altLong" }],
      ]),
    );
    expect(faultsOfEach(common, [faulty])).toEqual(new Map());
    const tooLong = { ...each, caption: "x".repeat(2201), rights: true };
    expect(uploadFaults(tooLong, [faulty], "ada")).toEqual({});
    expect(faultsOfEach(tooLong, [ready({ caption: "short" })])).toEqual(new Map());
  });

  test("is not judged where it is not sent, or was queued before", () => {
    const alt = "z".repeat(1001);
    const unfit = { ...entry({ state: "unfit", code: "file_type" }), alt };
    const failed = { ...entry({ state: "failed", code: "quota", message: "" }), alt };
    const queued = { ...failed, queued: { mediaId: "m", intentId: "i" } };
    expect(faultsOfEach(each, [unfit, queued])).toEqual(new Map());
    expect(faultsOfEach(each, [failed]).size).toBe(1);
  });
});

test("a file keeps its place in a post, and one that was taken out of the form leaves its own", () => {
  const post = createPost();
  const indexOf = (entry: number, chosen: number[]) => post.placeOf(entry, chosen).index;
  expect([1, 2, 3].map((entry) => indexOf(entry, [1, 2, 3]))).toEqual([0, 1, 2]);
  expect(indexOf(2, [1, 2, 3])).toBe(1);
  expect(indexOf(4, [1, 3, 4])).toBe(1);
  expect(indexOf(5, [1, 3, 4, 5])).toBe(3);
  expect(post.placeOf(1, [1]).id).toBe(post.placeOf(1, [1]).id);
  expect(createPost().placeOf(1, [1]).id).not.toBe(post.placeOf(1, [1]).id);
});
