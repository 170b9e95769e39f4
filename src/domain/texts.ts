/** What counts as a text: comments, messages and reports must show something (data contract, issue of the chat). */

/** Code points that leave no mark: spaces, controls, joiners, marks of direction, fillers, variation selectors, tags. */
const UNSEEN: readonly (readonly [first: number, last: number])[] = [
  [0x0000, 0x0020],
  [0x007f, 0x00a0],
  [0x00ad, 0x00ad],
  [0x034f, 0x034f],
  [0x061c, 0x061c],
  [0x115f, 0x1160],
  [0x1680, 0x1680],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x2000, 0x200f],
  [0x2028, 0x202f],
  [0x205f, 0x206f],
  [0x2800, 0x2800],
  [0x3000, 0x3000],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0xe0000, 0xe0fff],
];

/** Whether nothing of `text` would be seen. Looked up by number: the server's engine matches no `\p{…}`. */
export function isBlank(text: string): boolean {
  for (const sign of text) {
    const point = sign.codePointAt(0) ?? 0;
    if (!UNSEEN.some(([first, last]) => point >= first && point <= last)) return false;
  }
  return true;
}

/** One look of the engine's own: the server's takes long for each step of a loop. */
const BEYOND_ASCII = /[\u0080-\uffff]/;

/** Length in UTF-8. */
export function byteLength(text: string): number {
  if (!BEYOND_ASCII.test(text)) return text.length;
  let bytes = 0;
  for (const sign of text) {
    const point = sign.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}
