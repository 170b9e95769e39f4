import { expect, test } from "vitest";
import type { Found, IntentState, IntentView, MediaView } from "@/data/shapes";
import { uploadOutcome } from "@/state/upload";
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
