/** A sender on a replica of its own, with a clock that moves when it waits and a server that answers from a list. */
import { openTestReplica } from "@tests/unit/data/replica-of-test";
import { vi } from "vitest";
import { type Answer, noAnswer } from "@/data/engine/answers";
import { createDrain, type DrainDeps } from "@/data/engine/drain";
import { enqueueIntent } from "@/data/engine/enqueue";
import type { Intent } from "@/data/engine/noun";
import { readRows } from "@/data/engine/outbox";
import { ROW_STATES } from "@/data/engine/outbox-row";
import { createPendingWrites } from "@/data/engine/pending";
import type { ErrorCode } from "@/domain/error-codes";

export const yes: Answer = { kind: "accepted", status: 200, body: {} };
export const no = (code: ErrorCode | null, status = 403): Answer => ({
  kind: "refusal",
  status,
  code,
  message: "No.",
  fields: {},
});

export async function begin(answer: (intent: Intent) => Answer) {
  const { replica, device, storage } = await openTestReplica();
  const { local } = storage;
  const clock = { now: 1_000_000, may: true, mayUpload: true };
  const sent: string[] = [];
  let seed = 42;
  const deps: DrainDeps = {
    replica,
    server: {
      send: async (intent) => {
        sent.push(targetOf(intent));
        return answer(intent);
      },
      look: async () => noAnswer("network"),
      token: () => "",
      checkToken: async () => "good",
      onSent: async () => {},
    },
    on: { acked: vi.fn(), idle: vi.fn() },
    leads: () => true,
    maySend: () => clock.may,
    mayUpload: () => clock.mayUpload,
    clock: {
      now: () => clock.now,
      random: () => {
        seed = (seed * 16_807) % 2_147_483_647;
        return seed / 2_147_483_647;
      },
      delay: async (ms, signal) => {
        await Promise.resolve();
        if (signal?.aborted !== true) clock.now += ms;
      },
    },
    log: (message, error) => {
      throw new Error(`${message}: ${String(error)}`);
    },
  };
  const sender = createDrain(deps);
  const add = (intent: Intent) =>
    enqueueIntent(
      { ...deps.clock, userId: null, replica, device, pending: createPendingWrites(), local },
      intent,
    );
  const rows = () => readRows(replica, ...ROW_STATES);
  /** Resolves when no row is pending. */
  const done = () =>
    new Promise<void>((resolve) => {
      const subscription = replica.outbox
        .find({ selector: { state: { $in: ["pending", "sending"] } } })
        .$.subscribe((left) => {
          if (left.length > 0) return;
          queueMicrotask(() => subscription.unsubscribe());
          resolve();
        });
    });
  return { replica, device, clock, sent, deps, sender, add, rows, done };
}

const targetOf = (intent: Intent): string =>
  "mediaId" in intent.body ? intent.body.mediaId : intent.kind;
export const like = (mediaId: string, on: boolean): Intent => ({
  kind: "like.set",
  body: { mediaId, userId: "me", on },
});
export const comment = (mediaId: string, text: string): Intent => ({
  kind: "comment.create",
  body: { commentId: `c-${text}`, mediaId, userId: "me", username: "me", text },
});
