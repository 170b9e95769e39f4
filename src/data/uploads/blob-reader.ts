/** Cuts a blob into chunks for tus-js-client, the same way in a page and in Node. */
import type { FileReader } from "tus-js-client";

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
