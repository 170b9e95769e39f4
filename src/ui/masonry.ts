/** Geometry of the gallery grid for its three renderers, in CSS pixels. */
interface Shape {
  /** Pixels of the picture; 0 when unknown. */
  width: number;
  height: number;
  /** Any tags add one line. */
  tags?: readonly unknown[];
}

export type Box = ReturnType<typeof layoutMasonry>[number];

export interface GridSize {
  width: number;
  columns: 1 | 2;
}

/** From this width on, a card shows its facts in one row. */
const ROOMY_PX = 300;
export const isRoomy = (width: number): boolean => width >= ROOMY_PX;
/** Height below a picture: caption, then owner and counts; narrow cards have one more line. */
export const metaHeight = (width: number): number => (isRoomy(width) ? 72 : 84);
export const TAGS_HEIGHT = 22;
/** Number of tags of which at least a part fits that line. */
export const tagsShown = (width: number): number => (isRoomy(width) ? 4 : 2);
export const ROW_GAP = 18;
const WIDE = 768;
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

export function cardWidth({ width, columns }: GridSize): number {
  if (columns === 1) return Math.min(width, SINGLE_MAX_WIDTH);
  return (width - columnGap(width)) / 2;
}

function laneLeft(lane: number, size: GridSize): number {
  if (size.columns === 1) return (size.width - cardWidth(size)) / 2;
  return lane * (cardWidth(size) + columnGap(size.width));
}

export function tallestCard(size: GridSize): number {
  const width = cardWidth(size);
  return Math.round(width * TALLEST) + metaHeight(width) + TAGS_HEIGHT;
}

/** Tops never decrease. Each lane gets one card first, then the shortest lane takes the next. */
export function layoutMasonry(shapes: readonly Shape[], size: GridSize) {
  const width = cardWidth(size);
  const ends: number[] = [];
  return shapes.map((shape) => {
    const fresh = ends.length < size.columns;
    const lane = fresh ? ends.length : ends.indexOf(Math.min(...ends));
    const top = fresh ? 0 : (ends[lane] ?? 0) + ROW_GAP;
    const picture = pictureHeight(width, shape);
    const tags = shape.tags === undefined || shape.tags.length === 0 ? 0 : TAGS_HEIGHT;
    const height = picture + metaHeight(width) + tags;
    ends[lane] = top + height;
    return { lane, left: laneLeft(lane, size), top, width, height, picture };
  });
}
