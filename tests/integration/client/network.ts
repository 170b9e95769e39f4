/** The way to the server, with faults that a test puts into it. */
type Fetch = typeof globalThis.fetch;

export interface Seen {
  method: string;
  path: string;
  /** Of a body of bytes; 0 for any other. */
  bytes: number;
}

export interface Network {
  fetch: Fetch;
  /** Every request that was let through, in order. */
  seen: Seen[];
  /** What happens to a request instead of its being sent; null lets it through. */
  intercept: ((request: Seen, send: () => Promise<Response>) => Promise<Response> | null) | null;
}

export function createNetwork(): Network {
  const network: Network = {
    seen: [],
    intercept: null,
    async fetch(input, init) {
      const { pathname, search } = new URL(String(input));
      const bytes = init?.body instanceof ArrayBuffer ? init.body.byteLength : 0;
      const request = { method: init?.method ?? "GET", path: pathname + search, bytes };
      const send = () => {
        network.seen.push(request);
        return fetch(input, init);
      };
      return (await network.intercept?.(request, send)) ?? send();
    },
  };
  return network;
}

/** What a hotel's network answers to everything. */
export const portal = async (): Promise<Response> =>
  new Response("<html>Please accept our terms</html>", {
    headers: { "Content-Type": "text/html" },
  });

/** The request arrives and is done, and its answer never comes. */
export const loseAnswer = async (send: () => Promise<Response>): Promise<never> => {
  await (await send()).arrayBuffer();
  throw new TypeError("fetch failed");
};

export const cut = async (): Promise<never> => {
  throw new TypeError("fetch failed");
};
