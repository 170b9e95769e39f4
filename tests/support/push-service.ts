/** A push service on the loopback interface, as browsers have them: it looks at the signature (RFC 8292) and counts. */
import { createPublicKey, verify } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { SERVER_MS } from "@tests/support/patience";

export interface Pushed {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** Of the signature, which was right. */
  claims: { aud: string; exp: number; sub: string };
  key: string;
}

export interface PushService {
  origin: string;
  pushed: Pushed[];
  /** How it answers from now on; by default 201. */
  answerWith(answer: (response: ServerResponse) => void): void;
  /** Resolves when so many came in all. */
  until(count: number): Promise<void>;
  close(): Promise<void>;
}

/** The claims of a JWT that `key`, an uncompressed point of P-256 in base64url, has signed. */
function claimsOf(token: string, key: string): Pushed["claims"] {
  const [head = "", claims = "", signature = ""] = token.split(".");
  const point = Buffer.from(key, "base64url");
  const publicKey = createPublicKey({
    format: "jwk",
    key: {
      kty: "EC",
      crv: "P-256",
      x: point.subarray(1, 33).toString("base64url"),
      y: point.subarray(33).toString("base64url"),
    },
  });
  const isRight = verify(
    "sha256",
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  if (!isRight) throw new Error("The signature is wrong.");
  return JSON.parse(Buffer.from(claims, "base64url").toString());
}

export async function openPushService(): Promise<PushService> {
  const pushed: Pushed[] = [];
  let answer = (response: ServerResponse): void => void response.writeHead(201).end();
  let changed = () => {};
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (piece: string) => {
      body += piece;
    });
    request.on("end", () => {
      const { headers, url: path = "" } = request;
      const [, token = "", key = ""] =
        /^vapid t=(\S+), k=(\S+)$/.exec(headers.authorization ?? "") ?? [];
      try {
        pushed.push({ path, headers, body, claims: claimsOf(token, key), key });
        answer(response);
      } catch {
        response.writeHead(403).end();
      }
      changed();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    pushed,
    answerWith: (given) => {
      answer = given;
    },
    until: (count) =>
      new Promise((resolve, reject) => {
        const trouble = new Error(`${pushed.length} of ${count} pushes came.`);
        const limit = setTimeout(reject, SERVER_MS, trouble);
        changed = () => {
          if (pushed.length < count) return;
          clearTimeout(limit);
          resolve();
        };
        changed();
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
