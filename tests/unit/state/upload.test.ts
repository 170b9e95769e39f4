import { expect, test } from "vitest";
import type { Found, IntentState, IntentView, MediaView } from "@/data/shapes";
import { firstLook, uploadOutcome } from "@/state/upload";
import { mediaView } from "./support";

const item = (state: IntentState, over: Partial<IntentView> = {}): IntentView => ({
  id: "intent",
  kind: "media.create",
  isUpload: true,
  undoes: false,
  state,
  held: false,
  thumbnailUrl: "",
  label: "",
  about: "",
  ofVideo: false,
  createdAt: 1,
  attempts: 0,
  progress: 40,
  bytes: 100,
  code: null,
  message: "",
  ...over,
});
const loading: Found<MediaView> = { state: "loading" };
const pending = mediaView({
  pending: { intentId: "intent", state: "sending", progress: 1, code: null },
});

test.each<[IntentState, string]>([
  ["queued", "sending"],
  ["sending", "sending"],
  ["waiting", "waiting"],
  ["paused", "waiting"],
  ["acked", "uploaded"],
  ["refused", "refused"],
])("an intent that is %s means an upload that is %s", (state, fate) => {
  expect(uploadOutcome(item(state), loading).state).toBe(fate);
});

test("a row that left the queue is uploaded only once the server is known to have the medium", () => {
  expect(uploadOutcome(undefined, loading).state).toBe("sending");
  expect(uploadOutcome(undefined, { state: "found", value: pending }).state).toBe("sending");
  const acked = mediaView({
    pending: { intentId: "intent", state: "acked", progress: 100, code: null },
  });
  expect(uploadOutcome(undefined, { state: "found", value: acked }).state).toBe("uploaded");
  expect(uploadOutcome(undefined, { state: "found", value: mediaView() }).state).toBe("uploaded");
});

test("a refusal brings its reason", () => {
  const refused = item("refused", { code: "quota", message: "full" });
  expect(uploadOutcome(refused, loading)).toEqual({
    state: "refused",
    code: "quota",
    message: "full",
  });
});

test.each<[string, BlobPart[], unknown]>([
  ["an empty file", [], { state: "unfit", code: "file_empty" }],
  ["a PNG", [Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10)], { state: "picture" }],
  ["a TIFF", ["II*\0\x08\0\0\0"], { state: "convertible", format: "tiff", isAnimation: false }],
  [
    "an animated AVIF",
    [Uint8Array.of(0, 0, 0, 16), "ftypavis\0\0\0\0"],
    { state: "convertible", format: "avif", isAnimation: true },
  ],
  ["a text", ["hello"], { state: "unfit", code: "file_type" }],
  ["a raw picture", ["FUJIFILMCCD-RAW 0201"], { state: "unfit", code: "file_raw" }],
  ["an AVI film", ["RIFF\x10\0\0\0AVI LIST"], { state: "unfit", code: "file_video" }],
])("a first look at %s", async (_name, parts, expected) => {
  expect(await firstLook(new File(parts, "file"))).toEqual(expected);
});
