/** A server at a distance: a proxy on loopback that passes on every piece of every connection so much later, in both directions. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, createServer, type Socket } from "node:net";

export interface DistantServer {
  url: string;
  close(): Promise<void>;
}

/** `ms`: each way. */
export async function distantServer(target: string, ms: number): Promise<DistantServer> {
  const { port, hostname } = new URL(target);
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.setNoDelay(true);
      from.on("data", (piece) => setTimeout(() => to.writable && to.write(piece), ms));
      from.on("end", () => setTimeout(() => to.end(), ms));
      from.on("close", () => open.delete(from));
      from.on("error", () => to.destroy());
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
