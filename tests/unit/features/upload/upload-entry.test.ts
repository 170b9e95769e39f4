import { expect, test } from "vitest";
import {
  type EntryPhase,
  tally,
  tick,
  type UploadEntry,
  withFate,
} from "@/features/upload/upload-entry";
import { uploadFaults } from "@/features/upload/use-upload";

let id = 0;
const entry = (phase: EntryPhase): UploadEntry => ({
  id: ++id,
  file: new File(["x"], "a.jpg"),
  preview: "",
  size: 1,
  phase,
  shrunk: null,
  queued: null,
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
  const form = { caption: "", tags: "", rights: true };
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
