/** A bare tus client: every header in the test's hands, so that wrong ones can be sent too. */
import type { PocketBase } from "@tests/support/pocketbase";

const BODY_TYPE = "application/offset+octet-stream";

export interface TusAnswer {
  status: number;
  headers: Headers;
  /** `code` of a refusal, "" otherwise. */
  code: string;
}

/** `url` is absolute, or a path of the server. */
export async function tusCall(
  server: PocketBase,
  method: string,
  where: string,
  {
    token,
    headers = {},
    body,
  }: { token?: string; headers?: Record<string, string>; body?: Uint8Array } = {},
): Promise<TusAnswer> {
  const all: Record<string, string> = { "tus-resumable": "1.0.0", ...headers };
  if (token !== undefined) all["authorization"] = token;
  const init: RequestInit = { method, headers: all };
  if (body) {
    init.body = body as BodyInit;
    // A refusal may leave some of the body unread, and the server then ends the connection.
    all["connection"] = "close";
  }
  const answer = await fetch(`${server.url}${where}`, init);
  const text = await answer.text();
  const isJson = answer.headers.get("content-type")?.includes("json") && text !== "";
  const code = isJson ? ((JSON.parse(text) as { code?: string }).code ?? "") : "";
  return { status: answer.status, headers: answer.headers, code };
}

/** The `Upload-Metadata` header of `values`. */
export const metadataHeader = (values: Record<string, string>): string =>
  Object.entries(values)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString("base64")}`)
    .join(",");

/** Begins an upload of `size` bytes; answers its path. */
export async function beginUpload(
  server: PocketBase,
  token: string,
  size: number,
  metadata: Record<string, string> = {},
): Promise<string> {
  const headers = { "upload-length": String(size), "upload-metadata": metadataHeader(metadata) };
  const answer = await tusCall(server, "POST", "/api/uploads", { token, headers });
  const path = answer.headers.get("location");
  if (answer.status !== 201 || path === null) {
    throw new Error(`upload of ${size} bytes: ${answer.status} ${answer.code}`);
  }
  return path;
}

/** Sends `body` at `offset`. */
export const sendPiece = (
  server: PocketBase,
  token: string,
  path: string,
  {
    offset,
    body,
    headers = {},
  }: { offset: number; body: Uint8Array; headers?: Record<string, string> },
): Promise<TusAnswer> =>
  tusCall(server, "PATCH", path, {
    token,
    headers: { "content-type": BODY_TYPE, "upload-offset": String(offset), ...headers },
    body,
  });

/** How many bytes the server has, by HEAD; -1 when it knows no such upload. */
export async function offsetOf(server: PocketBase, token: string, path: string): Promise<number> {
  const answer = await tusCall(server, "HEAD", path, { token });
  return answer.status === 200 ? Number(answer.headers.get("upload-offset")) : -1;
}

/** A complete upload of `bytes`; answers its id. */
export async function upload(
  server: PocketBase,
  token: string,
  bytes: Uint8Array,
): Promise<string> {
  const path = await beginUpload(server, token, bytes.length);
  const answer = await sendPiece(server, token, path, { offset: 0, body: bytes });
  if (answer.status !== 204) throw new Error(`sending: ${answer.status} ${answer.code}`);
  return path.slice("/api/uploads/".length);
}
