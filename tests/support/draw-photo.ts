/** Photos for tests: JPEG pictures, each of its own colours. */
import type { Browser, BrowserContext, Page } from "playwright-core";

/** One page of each browser draws for all: a new page costs more than the picture. */
const easels = new WeakMap<Browser, Promise<Page>>();

/** `hue` in degrees; `size` in pixels. */
export async function drawPhoto(
  context: BrowserContext,
  hue: number,
  size = { width: 900, height: 600 },
): Promise<Buffer> {
  const browser = context.browser();
  const easel = (browser && easels.get(browser)) ?? (browser ?? context).newPage();
  if (browser) easels.set(browser, easel);
  const page = await easel;
  const base64 = await page.evaluate(paint, { hue, ...size });
  if (browser === null) await page.close();
  return Buffer.from(base64, "base64");
}

/** Runs in the page. */
async function paint(of: { hue: number; width: number; height: number }): Promise<string> {
  const { hue, width, height } = of;
  const canvas = new OffscreenCanvas(width, height);
  const brush = canvas.getContext("2d");
  if (brush === null) throw new Error("Nothing to draw with");
  const [x, y] = [0.3 * width, 0.3 * height];
  const light = brush.createRadialGradient(x, y, 0, x, y, Math.hypot(width - x, height - y));
  light.addColorStop(0, `hsl(${hue} 90% 75%)`);
  light.addColorStop(1, `hsl(${hue + 60} 70% 30%)`);
  brush.fillStyle = light;
  brush.fillRect(0, 0, width, height);
  const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: 0.9 });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ""));
}

/** A photo that no coder makes small: noise, about a byte a pixel. `page` is any of a secure origin. */
export async function noisePhoto(
  page: Page,
  size: { width: number; height: number },
): Promise<Buffer> {
  const base64 = await page.evaluate(async ({ width, height }) => {
    const canvas = new OffscreenCanvas(width, height);
    const noise = new ImageData(width, height);
    for (let at = 0; at < noise.data.length; at += 65_536) {
      crypto.getRandomValues(noise.data.subarray(at, at + 65_536));
    }
    for (let at = 3; at < noise.data.length; at += 4) noise.data[at] = 255;
    canvas.getContext("2d")?.putImageData(noise, 0, 0);
    const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: 0.95 });
    return new Promise<string>((resolve) => {
      const reader = new FileReader();
      reader.onload = () => resolve(String(reader.result).split(",")[1] ?? "");
      reader.readAsDataURL(blob);
    });
  }, size);
  return Buffer.from(base64, "base64");
}
