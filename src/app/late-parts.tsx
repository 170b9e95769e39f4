/** What the first picture does not need: notifications, the service worker and its update prompt. */
import { useEffect } from "react";
import { askForOutboxSync, registerServiceWorker } from "@/state/service-worker";
import { useMessagesReadEvent } from "@/state/use-app-badge";
import { useOutbox } from "@/state/use-outbox";
import { useRefusalToasts } from "@/state/use-refusal-toasts";
import { useSuspension } from "@/state/use-suspension";
import { Notifications } from "./notifications";
import { UpdatePrompt } from "./update-prompt";

export function LateParts() {
  const waits = useOutbox().waiting > 0;
  useRefusalToasts();
  useSuspension();
  useMessagesReadEvent();
  // Outside: the service worker.
  useEffect(() => {
    if (import.meta.env.PROD) void registerServiceWorker();
  }, []);
  // Outside: the browser's Background Sync, where there is one.
  useEffect(() => {
    if (waits) void askForOutboxSync();
  }, [waits]);
  return (
    <>
      <Notifications />
      <UpdatePrompt />
    </>
  );
}
