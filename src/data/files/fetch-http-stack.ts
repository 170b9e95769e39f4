/** The requests of tus-js-client over a given `fetch`: service workers and Node have no XHR. */
import type { HttpRequest, HttpResponse, HttpStack } from "tus-js-client";

export function fetchHttpStack(fetch: typeof globalThis.fetch): HttpStack {
  return {
    createRequest: (method, url) => createRequest(fetch, method, url),
    getName: () => "fetch",
  };
}

function createRequest(fetch: typeof globalThis.fetch, method: string, url: string): HttpRequest {
  const headers = new Headers();
  const stop = new AbortController();
  let onProgress: (sent: number) => void = () => {};
  return {
    getMethod: () => method,
    getURL: () => url,
    setHeader: (name, value) => headers.set(name, value),
    getHeader: (name) => headers.get(name) ?? undefined,
    setProgressHandler: (handler) => {
      onProgress = handler;
    },
    async send(body: Blob | null = null) {
      const bytes = body === null ? null : await body.arrayBuffer();
      const response = await fetch(url, { method, headers, body: bytes, signal: stop.signal });
      if (bytes !== null) onProgress(bytes.byteLength);
      return responseOf(response, await response.text());
    },
    async abort() {
      stop.abort();
    },
    getUnderlyingObject: () => null,
  };
}

const responseOf = (response: Response, body: string): HttpResponse => ({
  getStatus: () => response.status,
  getHeader: (name) => response.headers.get(name) ?? undefined,
  getBody: () => body,
  getUnderlyingObject: () => response,
});
