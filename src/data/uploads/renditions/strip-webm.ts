/** Titles, tags, attachments and the date of a WebM, each overwritten by an empty element of the same size. */
import { readElement, WEBM_SEGMENT } from "@/domain/media-files";
import type { Bytes } from "./bytes";
import type { Edit, ReadVideo } from "./video-edits";

const INFO = 0x1549a966;
const TAGS = 0x1254c367;
const ATTACHMENTS = 0x1941a469;
const DATE = 0x4461;
const TITLE = 0x7ba9;
const VOID = 0xec;
const HEAD_BYTES = 12;

export function webmEdits(read: ReadVideo, size: number): Edit[] {
  const header = readElement(read(0, HEAD_BYTES), 0, 0);
  if (header === null) return [];
  const segment = readElement(read(header.end, HEAD_BYTES), header.end, header.end);
  if (segment?.id !== WEBM_SEGMENT) return [];
  const end = Math.min(segment.end, size);
  const personal = (from: number, to: number, ids: readonly number[]) =>
    elements(read, from, to)
      .filter(({ id }) => ids.includes(id))
      .map(({ start, end: stop }) => ({ at: start, bytes: voidElement(stop - start) }));
  const info = elements(read, segment.body, end).filter(({ id }) => id === INFO);
  return [
    ...personal(segment.body, end, [TAGS, ATTACHMENTS]),
    ...info.flatMap((element) => personal(element.body, element.end, [DATE, TITLE])),
  ];
}

/** Elements one after another, up to the first whose end is not known. */
function elements(read: ReadVideo, from: number, to: number) {
  const found: { id: number; start: number; body: number; end: number }[] = [];
  for (let at = from; at < to; ) {
    const element = readElement(read(at, HEAD_BYTES), at, at);
    if (element === null || element.end > to) break;
    found.push({ ...element, start: at });
    at = element.end;
  }
  return found;
}

/** An empty element of `length` bytes, head included; at least two. */
function voidElement(length: number): Bytes {
  const bytes = new Uint8Array(length);
  bytes[0] = VOID;
  const sizeLength = length < 10 ? 1 : 8;
  const view = new DataView(bytes.buffer);
  if (sizeLength === 1) view.setUint8(1, 0x80 | (length - 2));
  else {
    view.setUint8(1, 1);
    view.setUint32(5, length - 9);
  }
  return bytes;
}
