/** Geometry of the gallery grid for its three renderers, in CSS pixels. */
interface Shape {
  /** Pixels of the picture; 0 when unknown. */
  width: number;
  height: number;
  /** Any tags add one line. */
  tags?: readonly unknown[];
  /** A long one takes two lines. */
  caption?: string;
}

export interface Box {
  lane: number;
  left: number;
  top: number;
  width: number;
  height: number;
  /** Height of the picture. */
  picture: number;
  /** Of the caption. */
  lines: 1 | 2;
  /** Its facts are in one row. */
  roomy: boolean;
  /** How many tags are shown. */
  tags: number;
}

export interface GridSize {
  width: number;
  columns: 1 | 2;
  /** How large the person's text is: 1 at the browser's usual size. */
  text?: number;
}

/** 2 for a browser whose text is set to twice its usual size. */
export const textSize = (): number =>
  Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 || 1;

/** From this width on, a card shows its facts in one row. */
const ROOMY_PX = 300;
/** Narrower than this, two columns would cut every word. */
const NARROWEST_PX = 132;
/** The caption's edge and lines, the row of owner and counts, a narrow card's further line. */
const CAPTION_TOP = 8;
const LINE = 20;
const ROW = 44;
const ROW_TEXT = 36;
const FURTHER = 18;
const FURTHER_LIFT = 6;

/** Height below a picture. */
export function metaHeight({ roomy, lines }: Pick<Box, "roomy" | "lines">, text = 1): number {
  const row = Math.max(ROW, ROW_TEXT * text);
  const further = roomy ? 0 : FURTHER * text - FURTHER_LIFT;
  return Math.round(CAPTION_TOP + lines * LINE * text + row + further);
}

export const TAGS_HEIGHT = 22;
export const ROW_GAP = 18;
const WIDE = 768;

/** Widths of signs in parts of the font's size: narrow ones, wide ones, capitals, all others. */
const NARROW = /[iljtfrI.,:;'|!()[\]\- ]/;
const BROAD = /[mwMW@%&]/;
const CAPITAL = /[A-Z0-9]/;
const FULL_FROM = 0x1100;
const FONT_PX = { phone: 14, desktop: 15 };

/**
 * Whether a caption needs one line or two, without measuring it: before the first paint nothing may
 * be measured, and afterwards nothing may move.
 */
export function captionLines(caption: string, width: number, fontPx: number): 1 | 2 {
  let taken = 0;
  for (const sign of caption) {
    if ((sign.codePointAt(0) ?? 0) >= FULL_FROM) taken += 1.05;
    else if (NARROW.test(sign)) taken += 0.34;
    else if (BROAD.test(sign)) taken += 0.92;
    else taken += CAPITAL.test(sign) ? 0.68 : 0.58;
    if (taken * fontPx > width) return 2;
  }
  return 1;
}

/** A single column is not wider than this, so that a portrait still fits a desktop screen. */
const SINGLE_MAX_WIDTH = 640;

const columnGap = (gridWidth: number): number => (gridWidth >= WIDE - 48 ? 20 : 10);

/** Panoramas and full-page screenshots are cropped in the grid, but not on the detail page. */
const FLATTEST = 0.5;
const TALLEST = 1.5;

export function pictureHeight(width: number, shape: Shape): number {
  const ratio = shape.width > 0 && shape.height > 0 ? shape.height / shape.width : 1;
  return Math.round(width * Math.min(TALLEST, Math.max(FLATTEST, ratio)));
}

const half = (width: number): number => (width - columnGap(width)) / 2;

/** One where two would leave no room for words of that size. */
export const columnsOf = ({ width, columns, text = 1 }: GridSize): 1 | 2 =>
  half(width) < NARROWEST_PX * text ? 1 : columns;

export const cardWidth = (size: GridSize): number =>
  columnsOf(size) === 1 ? Math.min(size.width, SINGLE_MAX_WIDTH) : half(size.width);

function laneLeft(lane: number, size: GridSize): number {
  if (columnsOf(size) === 1) return (size.width - cardWidth(size)) / 2;
  return lane * (cardWidth(size) + columnGap(size.width));
}

export function tallestCard(size: GridSize): number {
  const { text = 1 } = size;
  const meta = metaHeight({ roomy: false, lines: 2 }, text);
  return Math.round(cardWidth(size) * TALLEST) + meta + Math.round(TAGS_HEIGHT * text);
}

/** Tops never decrease. Each lane gets one card first, then the shortest lane takes the next. */
export function layoutMasonry(shapes: readonly Shape[], size: GridSize): Box[] {
  const { text = 1 } = size;
  const width = cardWidth(size);
  const columns = columnsOf(size);
  const roomy = width / text >= ROOMY_PX;
  const fontPx = text * (size.width >= WIDE - 48 ? FONT_PX.desktop : FONT_PX.phone);
  const ends: number[] = [];
  return shapes.map((shape) => {
    const fresh = ends.length < columns;
    const lane = fresh ? ends.length : ends.indexOf(Math.min(...ends));
    const top = fresh ? 0 : (ends[lane] ?? 0) + ROW_GAP;
    const picture = pictureHeight(width, shape);
    const hasTags = shape.tags !== undefined && shape.tags.length > 0;
    const lines = captionLines(shape.caption ?? "", width - 4, fontPx);
    const below = metaHeight({ roomy, lines }, text);
    const height = picture + below + (hasTags ? Math.round(TAGS_HEIGHT * text) : 0);
    ends[lane] = top + height;
    const left = laneLeft(lane, size);
    // Of `tags` at least a part fits the line.
    return { lane, left, top, width, height, picture, lines, roomy, tags: roomy ? 4 : 2 };
  });
}

/** The transform of a card that lies at the grid's start: `--way` is -1 from right to left. */
export const placeOf = ({ left, top }: Pick<Box, "left" | "top">): string =>
  `translate(calc(${left}px * var(--way)), ${top}px)`;
