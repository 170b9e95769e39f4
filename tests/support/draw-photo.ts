/** Photos for tests: JPEG pictures of a small page, each of its own colours. */
import type { BrowserContext, Page } from "playwright-core";

/** `hue` in degrees; `size` in pixels. */
export async function drawPhoto(
  context: BrowserContext,
  hue: number,
  size = { width: 900, height: 600 },
): Promise<Buffer> {
  const page = await context.newPage();
  await page.setViewportSize(size);
  await page.setContent(`<body style="margin:0;height:100vh;background:
    radial-gradient(circle at 30% 30%, hsl(${hue} 90% 75%), hsl(${hue + 60} 70% 30%))">`);
  const photo = await page.screenshot({ type: "jpeg", quality: 90 });
  await page.close();
  return photo;
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
