/** Deleting a medium: at once on this screen, told as done only when the server has said so (specification §8). */
import type { Client } from "@/data/client";
import type { ClientEvent } from "@/data/shapes";
import { whenClient } from "./client-store";
import { showToast } from "./toasts";

/** Whether it is on its way; then it is gone from every screen already. What becomes of it is told by a toast. */
export async function deleteMedia(mediaId: string): Promise<boolean> {
  const client = await whenClient();
  const answer = await client.writes.deleteMedia(mediaId);
  if (!answer.success) {
    showToast({ title: { key: "media.deleteFailed" }, variant: "destructive" });
    return false;
  }
  const { intentId } = answer.value;
  if (intentId === null) showToast({ title: { key: "media.deleted" } });
  else void deletionFate(client, mediaId, intentId).then(tellFate);
  return true;
}

/** What of the client it takes to follow a deletion. */
export interface DeletingClient {
  outbox: Pick<Client["outbox"], "watch">;
  onEvent: Client["onEvent"];
}

type Fate = "done" | "waiting" | "refused";

/** A refusal is told wherever it comes from, also when this page is long gone: see use-refusal-toasts. */
function tellFate(fate: Fate): void {
  if (fate === "done") showToast({ title: { key: "media.deleted" } });
  if (fate === "waiting") showToast({ title: { key: "media.deleteQueued" } });
}

/** Resolves once the server has answered, or once it is clear that it does not for now. */
export function deletionFate(
  client: DeletingClient,
  mediaId: string,
  intentId: string,
): Promise<Fate> {
  const outbox = client.outbox.watch();
  return new Promise((resolve) => {
    const leaves: (() => void)[] = [];
    let seen = false;
    const end = (fate: Fate) => {
      for (const leave of leaves) leave();
      resolve(fate);
    };
    const look = () => {
      const item = outbox.getSnapshot().items.find((row) => row.id === intentId);
      // A live value lags behind the write by a moment: not there yet is not gone.
      if (item === undefined) return seen && end("done");
      seen = true;
      if (item.state === "refused") return end("refused");
      if (item.state === "waiting" || item.state === "paused") return end("waiting");
    };
    const onEvent = (event: ClientEvent) => {
      if (event.type === "media-deleted" && event.mediaId === mediaId) end("done");
    };
    leaves.push(outbox.subscribe(look), client.onEvent(onEvent));
    look();
  });
}
