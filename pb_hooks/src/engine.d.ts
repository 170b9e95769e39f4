/** What the engine brings besides PocketBase's own bindings. */
declare const Buffer: {
  from(bytes: number[]): Uint8Array;
  from(
    text: string,
    encoding: "base64" | "hex" | "utf8",
  ): Uint8Array & {
    toString(encoding: "utf8" | "hex" | "base64"): string;
  };
};
