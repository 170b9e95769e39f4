/** The part of EventSource that the client uses, over fetch: Node has none. */
import type { EventSourceLike } from "@/data/engine/deps";

type Listener = (event: { data?: unknown }) => void;

export function openEventStream(url: string): EventSourceLike {
  const stop = new AbortController();
  const listeners = new Map<string, Listener[]>();
  const tell = (type: string, event: { data?: unknown }) => {
    for (const listener of listeners.get(type) ?? []) listener(event);
  };
  void read(url, stop.signal, tell).finally(() => {
    if (!stop.signal.aborted) tell("error", {});
  });
  return {
    addEventListener(type, listener) {
      listeners.set(type, [...(listeners.get(type) ?? []), listener]);
    },
    close: () => stop.abort(),
  };
}

async function read(
  url: string,
  signal: AbortSignal,
  tell: (type: string, event: { data?: unknown }) => void,
): Promise<void> {
  try {
    const response = await fetch(url, { signal, headers: { Accept: "text/event-stream" } });
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) tellBlock(block, tell);
    }
  } catch {
    // The server is gone: told as an error by whoever opened the stream.
  }
}

function tellBlock(block: string, tell: (type: string, event: { data?: unknown }) => void): void {
  const field = (name: string) =>
    block
      .split("\n")
      .find((line) => line.startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim();
  tell(field("event") ?? "message", { data: field("data") });
}
