/** Pictures put together by hand: headers that state whatever a test wants, and hardly a pixel behind them. */
const little = (value: number, length: number): number[] =>
  Array.from({ length }, (_, i) => Math.floor(value / 256 ** i) % 256);
const big = (value: number, length: number): number[] => little(value, length).reverse();
const text = (words: string): number[] => Array.from(words, (sign) => sign.charCodeAt(0));

export const chunk = (type: string, data: number[]): number[] => [
  ...text(type),
  ...little(data.length, 4),
  ...data,
  ...(data.length % 2 ? [0] : []),
];
export function webp(...chunks: number[][]): Uint8Array<ArrayBuffer> {
  const body = [...text("WEBP"), ...chunks.flat()];
  return new Uint8Array([...text("RIFF"), ...little(body.length, 4), ...body]);
}
export const ANIMATED = 0x02;
export const canvas = (width: number, height: number, flags = 0): number[] =>
  chunk("VP8X", [flags, 0, 0, 0, ...little(width - 1, 3), ...little(height - 1, 3)]);
export const lossless = (width: number, height: number): number[] =>
  chunk("VP8L", [0x2f, ...little(width - 1 + (height - 1) * 16_384, 4), 0]);
export const lossy = (width: number, height: number): number[] =>
  chunk("VP8 ", [0, 0, 0, 0x9d, 1, 0x2a, ...little(width, 2), ...little(height, 2)]);
export const alpha = chunk("ALPH", [0, 0]);

interface Box {
  x?: number;
  y?: number;
  width: number;
  height: number;
}
export const frame = ({ x = 0, y = 0, width, height }: Box, ...chunks: number[][]): number[] =>
  chunk("ANMF", [
    ...[x / 2, y / 2, width - 1, height - 1, 40].flatMap((value) => little(value, 3)),
    0,
    ...chunks.flat(),
  ]);

/** A GIF of a 1 by 1 screen with frames of this size, each followed by `padding` blocks of a byte. */
export function gif(frames: number, { width, height }: Box, padding = 1): Uint8Array<ArrayBuffer> {
  const blocks = Array.from({ length: padding }, () => [1, 0]).flat();
  const each = [0x2c, 0, 0, 0, 0, ...little(width, 2), ...little(height, 2), 0, 2, ...blocks, 0];
  const head = [...text("GIF89a"), 1, 0, 1, 0, 0, 0, 0];
  const all = Array.from({ length: frames }, () => each).flat();
  return new Uint8Array([...head, ...all, 0x3b]);
}

/** A progressive JPEG: `scans` times a scan's header with `data`, and `between` before each. */
export function jpeg(
  scans: number,
  { data = [0], between = [] as number[], width = 8, height = 8 } = {},
): Uint8Array<ArrayBuffer> {
  const frameHeader = [0xff, 0xc2, 0, 11, 8, ...big(height, 2), ...big(width, 2), 1, 1, 0x11, 0];
  const scan = [0xff, 0xda, 0, 8, 1, 1, 0, 0, 0, 0];
  const parts = Array.from({ length: scans }, () => [...between, ...scan, ...data]);
  return new Uint8Array([0xff, 0xd8, ...frameHeader, ...parts.flat(), 0xff, 0xd9]);
}
