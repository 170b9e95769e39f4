/**
 * Sends one file over tus 1.0.0 and goes on where it stopped. Imported dynamically: nobody needs it before
 * the first upload. The page's build uses XHR, so that real bytes move the bar; Node uses fetch.
 */
import { DetailedError, type FileReader, type HttpStack, Upload } from "tus-js-client";
import { type Answer, noAnswer, readAnswer } from "@/data/engine/answers";
import { UPLOAD_CHUNK_BYTES } from "@/domain/limits";

export interface FileToSend {
  blob: Blob;
  /** Absolute address of the upload route. */
  endpoint: string;
  /** Where an earlier try got to, or null. */
  uploadUrl: string | null;
  token: string;
  metadata: Record<string, string>;
  signal: AbortSignal;
  /** Asked when `signal` fires: whether the server may forget what it has. */
  isDiscarded: () => boolean;
  /** Absent where the platform has XHR. */
  httpStack?: HttpStack;
  onUrl: (uploadUrl: string) => void;
  /** Bytes that the server has. */
  onChunk: (sent: number, uploadUrl: string) => void;
  /** Bytes that have left this device. */
  onProgress: (sent: number) => void;
}

/** The address of the finished upload, or what the server answered instead. */
export function sendFile(file: FileToSend): Promise<{ uploadUrl: string } | Answer> {
  return new Promise((resolve) => {
    const upload: Upload = new Upload(file.blob, {
      endpoint: file.endpoint,
      uploadUrl: file.uploadUrl,
      uploadSize: file.blob.size,
      chunkSize: UPLOAD_CHUNK_BYTES,
      // The outbox decides about further tries, and remembers the address.
      retryDelays: null,
      storeFingerprintForResuming: false,
      headers: { Authorization: file.token },
      metadata: file.metadata,
      fileReader: blobReader,
      ...(file.httpStack === undefined ? {} : { httpStack: file.httpStack }),
      onUploadUrlAvailable: () => {
        if (upload.url !== null) file.onUrl(upload.url);
      },
      onChunkComplete: (_size, sent) => {
        if (upload.url !== null) file.onChunk(sent, upload.url);
      },
      onProgress: (sent) => file.onProgress(sent),
      onSuccess: () => resolve({ uploadUrl: upload.url ?? "" }),
      onError: (error) => void answerOf(error).then(resolve),
    });
    file.signal.addEventListener("abort", () => {
      // Only a discarded upload is ended on the server; one that is cut off goes on later.
      // Where the server is not reached, or has it no more, the upload there runs out by itself.
      const ended = () => resolve(noAnswer("network"));
      void upload.abort(file.isDiscarded()).then(ended, ended);
    });
    upload.start();
  });
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

export const blobReader: FileReader = {
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
