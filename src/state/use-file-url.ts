/** Address of a protected file. "" until it is known, and again while another try is made. */
import { useEffect, useState } from "react";
import { useClient } from "./client-store";
import { useConnection } from "./use-outbox";

export interface FileUrl {
  src: string;
  /** The file did not come: it is tried again when there is a connection. */
  failed: boolean;
  onError: () => void;
}

export function useFileUrl(url: string): FileUrl {
  const client = useClient();
  const online = useConnection() === "online";
  const [known, setKnown] = useState({ url: "", src: "" });
  const [failed, setFailed] = useState("");
  const isLocal = url === "" || url.startsWith("blob:");
  // Outside: the server, which gives the token that the address needs.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a connection that is back is worth another try.
  useEffect(() => {
    if (client === null || isLocal) return;
    let current = true;
    void client.reads.fileUrl(url).then((src) => {
      if (!current) return;
      setKnown({ url, src });
      setFailed("");
    });
    return () => {
      current = false;
    };
  }, [client, url, isLocal, online]);
  return {
    // What was shown stays until the next address is there: a sent photo changes from the device's to the server's.
    src: isLocal ? url : known.src,
    failed: failed === url && url !== "",
    onError: () => setFailed(url),
  };
}
