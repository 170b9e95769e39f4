/** What the first picture does not need: notifications, the service worker and its update prompt. */
import { useEffect } from "react";
import { registerServiceWorker } from "@/state/service-worker";
import { useMessagesReadEvent } from "@/state/use-app-badge";
import { useRefusalToasts } from "@/state/use-refusal-toasts";
import { useSuspension } from "@/state/use-suspension";
import { Notifications } from "./notifications";
import { UpdatePrompt } from "./update-prompt";

export function LateParts() {
  useRefusalToasts();
  useSuspension();
  useMessagesReadEvent();
  // Outside: the service worker.
  useEffect(() => {
    if (import.meta.env.PROD) void registerServiceWorker();
  }, []);
  return (
    <>
      <Notifications />
      <UpdatePrompt />
    </>
  );
}
