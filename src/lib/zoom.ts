/** Where a magnified picture stands in its frame. Pure; pixels, measured from the frame's centre. */
export interface Point {
  x: number;
  y: number;
}
export interface Size {
  width: number;
  height: number;
}

/** How often the picture is magnified, and how far its centre stands from the frame's. */
export interface Zoom extends Point {
  scale: number;
}

/** The frame, and the picture in it unmagnified. */
export interface ZoomBox {
  frame: Size;
  picture: Size;
}

export const AT_REST: Zoom = { scale: 1, x: 0, y: 0 };
export const MAX_SCALE = 8;

const within = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, value));

/** The size of a picture of that shape when it is drawn whole in `frame`; all of the frame where it is unknown. */
export function contained(shape: Size, frame: Size): Size {
  if (shape.width <= 0 || shape.height <= 0) return frame;
  const scale = Math.min(frame.width / shape.width, frame.height / shape.height);
  return { width: shape.width * scale, height: shape.height * scale };
}

/** Magnified `factor` times more. What lies under `at` stays there, as far as the picture's edges allow. */
export function zoomAt(zoom: Zoom, factor: number, at: Point, box: ZoomBox): Zoom {
  const scale = within(zoom.scale * factor, 1, MAX_SCALE);
  const by = scale / zoom.scale;
  return held({ scale, x: at.x - (at.x - zoom.x) * by, y: at.y - (at.y - zoom.y) * by }, box);
}

export function panBy(zoom: Zoom, by: Point, box: ZoomBox): Zoom {
  return held({ ...zoom, x: zoom.x + by.x, y: zoom.y + by.y }, box);
}

/** A picture never leaves its frame: no edge comes further in than the frame's, unless it is smaller than that. */
function held(zoom: Zoom, { frame, picture }: ZoomBox): Zoom {
  const roomX = Math.max(0, (picture.width * zoom.scale - frame.width) / 2);
  const roomY = Math.max(0, (picture.height * zoom.scale - frame.height) / 2);
  // Plus zero: a zero stays without a sign.
  return { ...zoom, x: within(zoom.x, -roomX, roomX) + 0, y: within(zoom.y, -roomY, roomY) + 0 };
}
