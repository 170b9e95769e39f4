/** What the first picture does not need: notifications, and the prompt for a new version. */
import { useMessagesReadEvent } from "@/state/use-app-badge";
import { useRefusalToasts } from "@/state/use-refusal-toasts";
import { useSuspension } from "@/state/use-suspension";
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
