/** The server's stream of hints to pull. After an error or silence, its owner reopens it. */
import { isRecord } from "./answers";
import type { EventSourceLike } from "./deps";
import type { Remote } from "./remote";

/** The server closes an idle stream after five minutes: one that is quiet for longer is dead. */
const SILENT_MS = 330_000;

/** What changed: something of this person's alone, or of everybody's. */
export type Hint = "you" | "everyone";

/** `withinMs`: a pull is asked for at some time in so many milliseconds, 0 for at once. */
export type OnHint = (hint: Hint, withinMs: number) => void;

const WITHIN_MOST_MS = 60_000;

export interface RealtimeDeps {
  eventSource: ((url: string) => EventSourceLike) | undefined;
  remote: Pick<Remote, "request" | "address">;
  onHint: OnHint;
  onLost: () => void;
  delay: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export type Realtime = ReturnType<typeof createRealtime>;

export function createRealtime(deps: RealtimeDeps) {
  let source: EventSourceLike | null = null;
  let subscribed = false;
  let silence = new AbortController();

  const close = () => {
    silence.abort();
    source?.close();
    source = null;
    subscribed = false;
  };
  const lose = (mine: EventSourceLike) => {
    if (source !== mine) return;
    close();
    deps.onLost();
  };
  const hear = (mine: EventSourceLike) => {
    silence.abort();
    const watch = new AbortController();
    silence = watch;
    void deps.delay(SILENT_MS, watch.signal).then(() => {
      if (!watch.signal.aborted) lose(mine);
    });
  };
  const subscribe = async (mine: EventSourceLike, clientId: string) => {
    const answer = await deps.remote.request("/api/realtime", {
      method: "POST",
      body: { clientId, subscriptions: ["sync"] },
    });
    if (source !== mine) return;
    if (answer.kind !== "accepted") {
      lose(mine);
      return;
    }
    subscribed = true;
    // What happened before is not known: this must not wait.
    deps.onHint("you", 0);
  };

  return {
    isOpen: () => subscribed,
    open() {
      if (source !== null || deps.eventSource === undefined) return;
      const mine = deps.eventSource(deps.remote.address("/api/realtime"));
      source = mine;
      hear(mine);
      mine.addEventListener("PB_CONNECT", (event) => {
        hear(mine);
        const clientId = clientIdOf(event.data);
        if (clientId !== null) void subscribe(mine, clientId);
      });
      mine.addEventListener("sync", (event) => {
        hear(mine);
        if (source !== mine) return;
        const data = dataOf(event.data);
        deps.onHint(data?.["you"] === true ? "you" : "everyone", withinOf(data));
      });
      mine.addEventListener("error", () => lose(mine));
    },
    close,
  };
}

function clientIdOf(data: unknown): string | null {
  // Not the server's greeting: the silence watch ends this stream.
  const id = dataOf(data)?.["clientId"];
  return typeof id === "string" ? id : null;
}

function withinOf(data: Record<string, unknown> | null): number {
  const seconds = Number(data?.["within"] ?? 0);
  return seconds > 0 ? Math.min(seconds * 1000, WITHIN_MOST_MS) : 0;
}

function dataOf(data: unknown): Record<string, unknown> | null {
  try {
    const message: unknown = typeof data === "string" ? JSON.parse(data) : null;
    return isRecord(message) ? message : null;
  } catch {
    return null;
  }
}
