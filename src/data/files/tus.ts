/** Sends one file over tus 1.0.0 from where an earlier try stopped. Import it dynamically. */
import {
  DetailedError,
  defaultOptions,
  type FileReader,
  type HttpStack,
  Upload,
} from "tus-js-client";
import { type Answer, noAnswer, readAnswer } from "@/data/engine/answers";
import type { AbortReason } from "@/data/engine/drain";
import type { Sending } from "@/data/engine/noun";
import { UPLOAD_CHUNK_BYTES, UPLOAD_PROGRESS_CAP } from "@/domain/limits";
import { checksumOf } from "@/lib/checksum";

export interface FileToSend {
  blob: Blob;
  /** Where an earlier try got to, or null. */
  uploadUrl: string | null;
  metadata: Record<string, string>;
  keep: (uploadUrl: string, sentBytes: number) => Promise<unknown>;
}

/**
 * Of a piece that is cut the server keeps nothing, because the checksum is that of the whole piece.
 * So a try that goes on after another begins small, and doubles with each piece that arrives: a
 * connection that never lasts long gets on, too.
 */
const CAREFUL_CHUNK_BYTES = 256 * 1024;
const largerChunk = (bytes: number): number => Math.min(UPLOAD_CHUNK_BYTES, 2 * bytes);

/** The address of the finished upload, or the server's answer instead. */
export async function sendFile(
  { remote, signal, httpStack, checksum = checksumOf, onProgress }: Sending,
  { blob, uploadUrl, metadata, keep }: FileToSend,
): Promise<{ uploadUrl: string } | Answer> {
  const stack = (await httpStack?.()) ?? defaultOptions.httpStack;
  let chunkSize = uploadUrl === null ? UPLOAD_CHUNK_BYTES : CAREFUL_CHUNK_BYTES;
  let stored: Promise<unknown> = Promise.resolve();
  const result = await new Promise<{ uploadUrl: string } | Answer>((resolve) => {
    const upload: Upload = new Upload(blob, {
      endpoint: remote.address("/api/uploads"),
      uploadUrl,
      uploadSize: blob.size,
      chunkSize,
      // The outbox decides about further tries and remembers the address.
      retryDelays: null,
      storeFingerprintForResuming: false,
      headers: { Authorization: remote.token() },
      metadata,
      fileReader: blobReader,
      httpStack: withChecksums(stack, checksum),
      onUploadUrlAvailable() {
        if (upload.url !== null) stored = keep(upload.url, 0);
      },
      // Other tabs, and this one after a restart, read how far the upload is.
      onChunkComplete(_size, sent) {
        const { url } = upload;
        chunkSize = largerChunk(chunkSize);
        upload.options.chunkSize = chunkSize;
        if (url !== null) stored = stored.then(() => keep(url, Math.min(sent, blob.size - 1)));
      },
      onProgress: (sent) =>
        onProgress(Math.floor((UPLOAD_PROGRESS_CAP * sent) / Math.max(1, blob.size))),
      onSuccess: () => resolve({ uploadUrl: upload.url ?? "" }),
      onError: (error) => void answerOf(error).then(resolve),
    });
    signal.addEventListener("abort", () => {
      // The server deletes only a discarded upload. Where that request fails, the upload expires.
      const isDiscarded = signal.reason === ("discarded" satisfies AbortReason);
      const ended = () => resolve(noAnswer("network"));
      void upload.abort(isDiscarded).then(ended, ended);
    });
    upload.start();
  });
  await stored;
  return result;
}

async function answerOf(error: Error | DetailedError): Promise<Answer> {
  const response = error instanceof DetailedError ? error.originalResponse : null;
  if (response === null) return noAnswer("network");
  const retryAfter = response.getHeader("Retry-After");
  const headers = new Headers(retryAfter ? { "Retry-After": retryAfter } : {});
  const status = response.getStatus();
  if (status < 400 || status > 599) return noAnswer("network");
  return readAnswer(new Response(response.getBody(), { status, headers }));
}

/** Cuts a blob into chunks for tus-js-client, the same way in a page and in Node. */
const blobReader: FileReader = {
  async openFile(input) {
    if (!(input instanceof Blob)) throw new Error("Only blobs are uploaded");
    return {
      size: input.size,
      async slice(start: number, end: number) {
        const to = Math.min(end, input.size);
        return { value: input.slice(start, to), done: to >= input.size };
      },
      close() {},
    };
  },
};

/** Sends each piece with its checksum: some proxies lose bytes inside a stream and say nothing. */
function withChecksums(stack: HttpStack, checksum: (piece: Blob) => Promise<string>): HttpStack {
  return {
    getName: () => stack.getName(),
    createRequest(method, url) {
      const request = stack.createRequest(method, url);
      const [send, abort] = [request.send.bind(request), request.abort.bind(request)];
      let isAborted = false;
      request.abort = () => {
        isAborted = true;
        return abort();
      };
      request.send = async (body: unknown) => {
        const sum = body instanceof Blob ? await checksum(body) : "";
        if (isAborted) throw new Error("Aborted before it was sent");
        if (sum !== "") request.setHeader("Upload-Checksum", sum);
        return send(body);
      };
      return request;
    },
  };
}
