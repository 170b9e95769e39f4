/** A suspended account is signed out on every device of it, with the words of a refused sign-in (resolutions, isBlocked). */
import { useEffect } from "react";
import { useClient } from "./client-store";
import { showToast } from "./toasts";
import { useConnection } from "./use-outbox";
import { useSession } from "./use-session";

export function useSuspension(): void {
  const client = useClient();
  const session = useSession();
  const connection = useConnection();
  const rejected = session.state === "signed-in" && session.needsLogin;
  const canAsk = connection !== "offline";
  // Outside: the server. A session that merely ended is asked for again by its own notice.
  useEffect(() => {
    if (client === null || !rejected || !canAsk) return;
    let current = true;
    void client.auth.isSuspended().then(async (answer) => {
      if (!current || !answer.success || !answer.value) return;
      // What waits stays sealed on the device: a suspension may be lifted.
      await client.auth.signOut("keep");
      showToast({
        title: { key: "auth.loginFailed" },
        description: { key: "auth.loginFailedText" },
        variant: "destructive",
      });
    });
    return () => {
      current = false;
    };
  }, [client, rejected, canAsk]);
}
