/** What the first picture does not need: notifications and the update prompt. */
import { Notifications } from "./notifications";
import { UpdatePrompt } from "./update-prompt";

export function LateParts() {
  return (
    <>
      <Notifications />
      <UpdatePrompt />
    </>
  );
}
