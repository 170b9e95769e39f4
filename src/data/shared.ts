/** What all parts of a client share while it lives: the server, who is signed in, what is heard. */
import { createCell } from "@/lib/cell";
import { createAuth } from "./account/auth";
import type { Shared } from "./engine/context";
import type { ClientDeps } from "./engine/deps";
import { createPendingWrites } from "./engine/pending";
import { createRemote } from "./engine/remote";
import { NOUNS } from "./nouns";
import type { ClientEvent, Connection, StorageState } from "./shapes";

export type ClientShared = ReturnType<typeof createShared>;

export function createShared(deps: ClientDeps) {
  const connection = createCell<Connection>("unknown");
  const remote = createRemote({
    baseUrl: deps.baseUrl,
    fetch: deps.fetch,
    delay: deps.delay,
    onAnswer: (ours) => connection.set(ours ? "online" : "offline"),
    judgeToken: (token) => auth.judgeToken(token),
  });
  const storage = createCell<StorageState>("unknown");
  const listeners = new Set<(event: ClientEvent) => void>();
  const emit = (event: ClientEvent) => {
    for (const listener of [...listeners]) listener(event);
  };
  const endSuspended = () => {
    if (auth.session.getSnapshot().state === "signed-in") emit({ type: "suspended" });
  };
  const auth = createAuth(remote, deps.storage.local, {
    onSuspended: endSuspended,
    onGuesses: (guesses) => emit({ type: "wrong-guesses", ...guesses }),
  });
  return {
    deps,
    nouns: NOUNS,
    remote,
    connection,
    storage,
    auth,
    pending: deps.pending ?? createPendingWrites(),
    emit,
    endSuspended,
    onEvent(listener: (event: ClientEvent) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    log: deps.log ?? (() => {}),
  } satisfies Shared & Record<string, unknown>;
}
