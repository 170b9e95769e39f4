/** Requests written to the socket as they stand in a protocol's text: nothing is added or left out. */
import { once } from "node:events";
import { connect } from "node:net";

export interface RawAnswer {
  /** 0 where the connection ended without an answer. */
  status: number;
  headers: Headers;
  body: string;
  /** Whether the server asked for the body with 100 before it answered. */
  wasAskedFor: boolean;
}

const CONTINUE = /^HTTP\/1\.1 100 [^\r]*\r\n\r\n/;

/**
 * Sends the lines of `head`, then `body` in as many writes as it has parts, as long as the server
 * takes them. With `Expect: 100-continue` among the lines it waits to be asked for the body.
 */
export async function rawRequest(
  port: number,
  head: readonly string[],
  body: Iterable<string | Uint8Array> = [],
): Promise<RawAnswer> {
  const socket = connect(port, "127.0.0.1");
  let heard = "";
  const ended = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  // A server that has answered hangs up on whoever still sends; what it said counts.
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.on("data", (part) => {
    heard += part.toString("latin1");
  });
  socket.write([...head, "Host: localhost", "Connection: close", "", ""].join("\r\n"));
  if (head.includes("Expect: 100-continue")) {
    await Promise.race([once(socket, "data"), ended]);
  }
  const mayGoOn = () => !socket.destroyed && (heard === "" || CONTINUE.test(heard));
  for (const part of body) {
    if (!mayGoOn()) break;
    await new Promise<void>((resolve) => socket.write(part, () => resolve()));
  }
  await ended;
  return parse(heard);
}

function parse(heard: string): RawAnswer {
  const wasAskedFor = CONTINUE.test(heard);
  const [first = "", ...rest] = heard.replace(CONTINUE, "").split("\r\n\r\n");
  const [line = "", ...lines] = first.split("\r\n");
  const headers = new Headers();
  for (const text of lines) {
    const colon = text.indexOf(":");
    headers.append(text.slice(0, colon), text.slice(colon + 1).trim());
  }
  return {
    status: Number(line.split(" ")[1] ?? 0),
    headers,
    body: rest.join("\r\n\r\n"),
    wasAskedFor,
  };
}

/** One chunk of a body whose length is not announced; the one of nothing ends it. */
export const chunk = (bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);
export const LAST_CHUNK = "0\r\n\r\n";
