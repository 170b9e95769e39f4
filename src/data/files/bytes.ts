/** Reading and comparing bytes of files, for the modules of this folder. */
export type Bytes = Uint8Array<ArrayBuffer>;

export function ascii(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}

export const fromAscii = (text: string): Bytes => Uint8Array.from(text, (c) => c.charCodeAt(0));

/** Most significant byte first. */
export function uint32(bytes: Uint8Array, at: number): number {
  return uint16(bytes, at) * 65_536 + uint16(bytes, at + 2);
}

export function uint16(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);
}

export function littleUint32(bytes: Uint8Array, at: number): number {
  return littleUint16(bytes, at + 2) * 65_536 + littleUint16(bytes, at);
}

export function littleUint16(bytes: Uint8Array, at: number): number {
  return (bytes[at + 1] ?? 0) * 256 + (bytes[at] ?? 0);
}
