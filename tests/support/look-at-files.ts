/** What a browser and exiftool see in pictures and videos. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { exiftoolPath } from "exiftool-vendored";
import type { Page } from "playwright-core";

/** A picture as it is shown. */
export interface Seen {
  /** Width by height, such as "64x48". */
  size: string;
  /** The colours of the corners: top left, top right, bottom left, bottom right. */
  corners: [number, number, number][];
  /** Of all pixels. */
  hash: string;
  /** 0 where this browser has no decoder that counts. */
  frames: number;
}

/** A file on a server, or its bytes in base64. */
export type Source = { url: string } | { base64: string; type: string };

/** Null where the browser cannot decode it. */
export const seePictures = (page: Page, sources: Source[]): Promise<(Seen | null)[]> =>
  page.evaluate(async (all) => {
    const blobOf = async (source: Source) => {
      if ("url" in source) return (await fetch(source.url)).blob();
      const bytes = Uint8Array.from(atob(source.base64), (sign) => sign.charCodeAt(0));
      return new Blob([bytes], { type: source.type });
    };
    const countFrames = async (blob: Blob) => {
      if (!(await ImageDecoder.isTypeSupported(blob.type))) return 0;
      const decoder = new ImageDecoder({ data: await blob.arrayBuffer(), type: blob.type });
      try {
        await Promise.all([decoder.tracks.ready, decoder.completed]);
        return decoder.tracks.selectedTrack?.frameCount ?? 0;
      } finally {
        decoder.close();
      }
    };
    const see = async (source: Source) => {
      const blob = await blobOf(source);
      const bitmap = await createImageBitmap(blob);
      const { width, height } = bitmap;
      const canvas = new OffscreenCanvas(width, height);
      const context = canvas.getContext("2d", { willReadFrequently: true });
      if (context === null) throw new Error("no canvas");
      context.drawImage(bitmap, 0, 0);
      const at = (x: number, y: number) => [
        ...context.getImageData(x * width, y * height, 1, 1).data.slice(0, 3),
      ];
      const corners = [at(0.15, 0.15), at(0.85, 0.15), at(0.15, 0.85), at(0.85, 0.85)];
      const pixels = context.getImageData(0, 0, width, height).data;
      const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", pixels));
      const frames = await countFrames(blob);
      return { size: `${width}x${height}`, corners, hash: sum.join(), frames };
    };
    return Promise.all(all.map((source) => see(source).catch(() => null)));
  }, sources) as Promise<(Seen | null)[]>;

/** A film, played and sought. */
export interface SeenFilm {
  size: string;
  /** While it plays. */
  corners: [number, number, number][];
  /** Where a player is after it was sent to `seconds`. */
  soughtTo: number;
  /** Whether time goes on when it plays. */
  plays: boolean;
}

/** `seconds`: where to seek. Null where the browser cannot show it. */
export const seeFilm = (page: Page, url: string, seconds: number): Promise<SeenFilm | null> =>
  page.evaluate(
    async ({ address, middle }) => {
      const FRAMES = 300;
      const video = document.createElement("video");
      Object.assign(video, { muted: true, playsInline: true, preload: "auto" });
      const event = (name: string) =>
        new Promise<void>((resolve, reject) => {
          video.addEventListener(name, () => resolve(), { once: true });
          video.addEventListener("error", () => reject(video.error), { once: true });
        });
      try {
        const known = event("loadedmetadata");
        video.src = address;
        await known;
        if (video.videoWidth === 0) return null;
        const sought = event("seeked");
        video.currentTime = middle;
        await sought;
        const soughtTo = video.currentTime;
        video.currentTime = 0;
        await event("seeked");
        await video.play();
        while (video.currentTime === 0) await event("timeupdate");
        const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
        const context = canvas.getContext("2d");
        const { width, height } = canvas;
        const pixel = (x: number, y: number) => [
          ...(context?.getImageData(x * width, y * height, 1, 1).data ?? []),
        ];
        const at = (x: number, y: number) => pixel(x, y).slice(0, 3);
        // Time may go on before the first picture is there: then nothing is drawn.
        for (let tried = 0; tried < FRAMES && pixel(0.5, 0.5)[3] === 0; tried++) {
          await new Promise(requestAnimationFrame);
          context?.drawImage(video, 0, 0);
        }
        const corners = [at(0.15, 0.15), at(0.85, 0.15), at(0.15, 0.85), at(0.85, 0.85)];
        return { size: `${width}x${height}`, corners, soughtTo, plays: video.currentTime > 0 };
      } catch {
        return null;
      } finally {
        video.removeAttribute("src");
        video.load();
      }
    },
    { address: url, middle: seconds },
  ) as Promise<SeenFilm | null>;

type Ink = readonly [letter: string, red: number, green: number, blue: number];
const INKS: readonly Ink[] = [
  ["R", 220, 30, 30],
  ["G", 30, 200, 30],
  ["B", 30, 30, 220],
  ["Y", 230, 220, 30],
  ["W", 255, 255, 255],
  ["K", 0, 0, 0],
  ["-", 128, 128, 128],
];

/** A letter for each: red, green, blue, yellow, white, black, or `-` for grey. */
export const lettersOf = (corners: readonly (readonly number[])[]): string =>
  corners
    .map(([red = 0, green = 0, blue = 0]) => {
      const far = ([, r, g, b]: Ink) => (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
      return INKS.reduce((near, ink) => (far(ink) < far(near) ? ink : near))[0];
    })
    .join("");

/** Names of tags that locate, and words by which our own files do. */
const TAGS = /gps|location|latitude|longitude|coordinates|xyz|city|country/i;
const WORDS = /48[.,\u00b0]12|4807\.4|11\.5678|48,7\.404|Kirschdorf|GPS /;

/** Of each file in the folder what locates: tags, whatever they are embedded in, and words. */
export async function whatLocates(folder: string): Promise<Map<string, string[]>> {
  const flags = ["-ee3", "-a", "-u", "-U", "-n", "-j", "-G1:3", "-q", "-q"];
  const options = { cwd: folder, maxBuffer: 2 ** 27 };
  // It fails where one of the files is empty or broken, and tells of the others all the same.
  const { stdout } = await promisify(execFile)(
    await exiftoolPath(),
    [...flags, "."],
    options,
  ).catch((error: { stdout: string }) => error);
  const all: ({ SourceFile: string } & Record<string, unknown>)[] = JSON.parse(stdout);
  return new Map(
    all.map(({ SourceFile, ...tags }) => {
      const found = Object.entries(tags)
        .filter(([tag, value]) => TAGS.test(tag) || WORDS.test(String(value)))
        .map(([tag]) => tag);
      const words = readFileSync(path.join(folder, SourceFile), "latin1").match(WORDS) ?? [];
      return [path.basename(SourceFile), [...found, ...words]];
    }),
  );
}
