/** What the first picture does not need: notifications, and the prompt for a new version. */
import { useMessagesReadEvent, useRefusalToasts, useSuspension } from "@/state/client-events";
import { Notifications } from "./notifications";
import { UpdatePrompt } from "./update-prompt";

export function LateParts() {
  useRefusalToasts();
  useSuspension();
  useMessagesReadEvent();
  return (
    <>
      <Notifications />
      <UpdatePrompt />
    </>
  );
}
