import { beforeEach, expect, test } from "vitest";
import type { ClientEvent, IntentState, IntentView, OutboxView } from "@/data/shapes";
import { createCell } from "@/lib/cell";
import { type DeletingClient, deletionOutcome } from "@/state/media";

const MEDIA = "mediamediamedia";
const outboxOf = (...states: IntentState[]): OutboxView => ({
  ready: true,
  failed: false,
  items: states.map((state) => ({ id: "intent", state }) as IntentView),
  waiting: 0,
  refused: 0,
  sent: [],
  bytes: 0,
});

let cell = createCell(outboxOf());
let tell: (event: ClientEvent) => void;
let client: DeletingClient;

beforeEach(() => {
  cell = createCell(outboxOf());
  client = {
    outbox: { watch: () => cell },
    onEvent: (listener) => {
      tell = listener;
      return () => undefined;
    },
  };
});

test.each<[IntentState[], string]>([
  [["waiting"], "waiting"],
  [["paused"], "waiting"],
  [["refused"], "refused"],
  [["queued", "sending", "waiting"], "waiting"],
])("a deletion that goes through %s is %s", async (states, fate) => {
  const told = deletionOutcome(client, MEDIA, "intent");
  for (const state of states) cell.set(outboxOf(state));
  expect(await told).toBe(fate);
});

test("it is done only when its row was there and left the queue, or the server's word arrived", async () => {
  let fate = "";
  const told = deletionOutcome(client, MEDIA, "intent").then((value) => {
    fate = value;
  });
  cell.set(outboxOf());
  cell.set(outboxOf("sending"));
  await Promise.resolve();
  expect(fate).toBe("");
  cell.set(outboxOf());
  await told;
  expect(fate).toBe("done");

  cell.set(outboxOf());
  const other = deletionOutcome(client, MEDIA, "intent");
  tell({ type: "media-deleted", mediaId: "another" });
  tell({ type: "media-deleted", mediaId: MEDIA });
  expect(await other).toBe("done");
});
