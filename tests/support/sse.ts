/** A listener on PocketBase's realtime stream, as an EventSource is, with what it heard kept. */
import type { Answer, PocketBase } from "@tests/support/pocketbase";
import { SERVER_MS } from "./patience";

export interface Listener {
  clientId: string;
  /** Names of the events heard since the last `forget`, PB_CONNECT left out. */
  heard: { name: string; data: string }[];
  /** Resolves when `count` events have been heard since the last `forget`. */
  hears(count: number): Promise<void>;
  forget(): void;
  subscribe(topics: string[], token?: string): Promise<Answer>;
  close(): void;
  /** Resolves when the stream is over, whoever ended it. */
  ended: Promise<void>;
}

function parseEvents(text: string): { name: string; data: string }[] {
  return text.split("\n\n").flatMap((block) => {
    const name = /^event: ?(.*)$/m.exec(block)?.[1];
    const data = /^data: ?(.*)$/m.exec(block)?.[1];
    return name === undefined || data === undefined ? [] : [{ name, data }];
  });
}

/** `headers` go with the stream and with its subscription. */
export async function listen(
  server: PocketBase,
  headers: Record<string, string> = {},
): Promise<Listener> {
  const stop = new AbortController();
  const stream = await fetch(`${server.url}/api/realtime`, { signal: stop.signal, headers });
  if (!stream.body) throw new Error("no stream");
  const heard: { name: string; data: string }[] = [];
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const resume of waiting) resume();
    waiting.clear();
  };
  let connected: (id: string) => void = () => undefined;
  const clientId = new Promise<string>((resolve) => {
    connected = resolve;
  });

  const take = (text: string): void => {
    for (const event of parseEvents(text)) {
      if (event.name === "PB_CONNECT") connected(JSON.parse(event.data).clientId);
      else heard.push(event);
    }
    wake();
  };
  const read = async (reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder();
    let rest = "";
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      rest += decoder.decode(part.value, { stream: true });
      const end = rest.lastIndexOf("\n\n") + 2;
      if (end < 2) continue;
      take(rest.slice(0, end));
      rest = rest.slice(end);
    }
  };
  const ended = read(stream.body.getReader()).catch(() => wake());

  const id = await clientId;
  return {
    clientId: id,
    heard,
    hears: async (count) => {
      const late = AbortSignal.timeout(SERVER_MS);
      while (heard.length < count) {
        await new Promise<void>((resolve, reject) => {
          waiting.add(resolve);
          late.addEventListener("abort", () =>
            reject(new Error(`heard ${heard.length} of ${count}`)),
          );
        });
      }
    },
    forget: () => {
      heard.length = 0;
    },
    subscribe: async (topics, token = "") => {
      const answer = await fetch(`${server.url}/api/realtime`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: token, ...headers },
        body: JSON.stringify({ clientId: id, subscriptions: topics }),
      });
      const body = answer.status === 204 ? null : await answer.json();
      return { status: answer.status, headers: answer.headers, body };
    },
    close: () => stop.abort(),
    ended,
  };
}
