/** Numbers and texts in bytes, without TextDecoder, which the server lacks. Missing bytes are 0. */
export type Bytes = Uint8Array<ArrayBuffer>;

export type ReadableBytes = ArrayLike<number>;

/** Reads `length` bytes from `offset`; fewer where the file ends. */
export type ReadBytes = (offset: number, length: number) => Uint8Array;

/** The same bytes, read 64 KB at a time: then a walk in small steps does not pay for each step. */
export function throughWindow(read: ReadBytes, size = 65_536): ReadBytes {
  let start = 0;
  let window: Uint8Array = new Uint8Array();
  return (offset, length) => {
    if (offset < start || offset + length > start + window.length) {
      start = offset;
      window = read(start, Math.max(length, size));
    }
    return window.subarray(offset - start, offset - start + length);
  };
}

export const byteAt = (bytes: ReadableBytes, at: number): number => bytes[at] ?? 0;

/** An unsigned number of `length` bytes, most significant byte first. */
export function uint(bytes: ReadableBytes, at: number, length: number): number {
  let value = 0;
  for (let i = at; i < at + length; i++) value = value * 256 + byteAt(bytes, i);
  return value;
}

/** The same, least significant byte first. */
export function littleUint(bytes: ReadableBytes, at: number, length: number): number {
  let value = 0;
  for (let i = at + length - 1; i >= at; i--) value = value * 256 + byteAt(bytes, i);
  return value;
}

/** One character for each byte; the text ends where the bytes end. */
export function textAt(bytes: ReadableBytes, at: number, length: number): string {
  let text = "";
  for (let i = at; i < Math.min(at + length, bytes.length); i++) {
    text += String.fromCharCode(byteAt(bytes, i));
  }
  return text;
}

/** The server's engine makes bytes from lists only. */
export const asciiBytes = (text: string): Bytes =>
  Uint8Array.from(Array.from(text, (sign) => sign.charCodeAt(0)));
