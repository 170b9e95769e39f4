/** A suspended account is signed out wherever it is open, and told so once (specification §8, resolution 5). */
import { useEffect } from "react";
import { useClient } from "./client-store";
import { wipeFirstScreen } from "./first-screen";
import { showToast } from "./toasts";

export function useSuspension(): void {
  const client = useClient();
  // Outside: the client's announcements, the notification area and the stored first screen.
  useEffect(
    () =>
      client?.onEvent((event) => {
        if (event.type !== "suspended") return;
        wipeFirstScreen(localStorage);
        showToast({
          title: { key: "auth.loginFailed" },
          description: { key: "auth.suspended" },
          variant: "destructive",
        });
      }),
    [client],
  );
}
