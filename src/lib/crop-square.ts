/** Geometry of a square cut out of a picture, in pixels of the picture where not said otherwise. */
export interface Size {
  width: number;
  height: number;
}

/** `x` and `y` are the centre as shares of width and height. */
export interface Crop {
  x: number;
  y: number;
  /** 1 is the largest square. */
  zoom: number;
}

export const ZOOM_MAX = 4;

export interface Square {
  left: number;
  top: number;
  side: number;
}

const between = (value: number, least: number, most: number): number =>
  Math.min(Math.max(value, least), Math.max(least, most));

export function fitCrop(picture: Size, crop: Crop): Crop {
  const zoom = between(crop.zoom, 1, ZOOM_MAX);
  const side = Math.min(picture.width, picture.height) / zoom;
  const half = { x: side / 2 / picture.width, y: side / 2 / picture.height };
  return {
    zoom,
    x: between(crop.x, half.x, 1 - half.x),
    y: between(crop.y, half.y, 1 - half.y),
  };
}

export function cropSquare(picture: Size, crop: Crop): Square {
  const { x, y, zoom } = fitCrop(picture, crop);
  const side = Math.min(picture.width, picture.height) / zoom;
  return { side, left: x * picture.width - side / 2, top: y * picture.height - side / 2 };
}
