/** Makes the client: the one entry for screens, tests and importers (architecture, "Data contract"). */
import { failed, ok } from "@/domain/result";
import { createCell } from "@/lib/cell";
import type { Client, Connection, FeedPage, Live, Loaded } from "./client-api";
import type { ClientDeps } from "./client-deps";
import { createAuth } from "./remote/create-auth";
import { createRemote } from "./remote/create-remote";

export function createClient(deps: ClientDeps): Client {
  const connection = createCell<Connection>("unknown");
  const remote = createRemote({
    baseUrl: deps.baseUrl,
    fetch: deps.fetch,
    onAnswer: (ours) => connection.set(ours ? "online" : "offline"),
  });
  const auth = createAuth(remote, deps.storage.local);
  const feed: Live<Loaded<FeedPage>> = createCell<Loaded<FeedPage>>({ state: "loading" });
  return {
    auth: {
      ...auth,
      async signOut() {
        auth.forget();
        return ok(null);
      },
    },
    reads: {
      watchFeed: () => feed,
      watchMedia: () => createCell({ state: "loading" } as const),
      watchProfile: () => createCell({ state: "loading" } as const),
      watchSettings: () => createCell({ state: "loading" } as const),
      watchProductName: () => createCell("Augenblick"),
      pullOlderMedia: async () => failed("network"),
    },
    writes: {
      uploadMedia: async () => failed("storage_full"),
      deleteMedia: async () => failed("network"),
      setLike: async () => failed("network"),
      recordView: async () => failed("network"),
    },
    outbox: {
      watch: () => createCell({ items: [], waiting: 0, refused: 0, bytes: 0 }),
      retry: async () => {},
      discard: async () => {},
      drain: async () => {},
    },
    connection,
    sync: async () => failed("network"),
    onEvent: () => () => {},
    close: async () => {},
  };
}
