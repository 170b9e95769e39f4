/** Photos for tests: each is a picture of a small page, so that nobody has seen it before. */
import type { BrowserContext } from "playwright-core";
import type { PickedFile } from "./upload-page";

interface Drawing {
  /** 0 to 360; another hue is another picture. */
  hue: number;
  width?: number;
  height?: number;
}

export async function drawPhoto(
  context: BrowserContext,
  { hue, width = 900, height = 600 }: Drawing,
): Promise<PickedFile> {
  const page = await context.newPage();
  await page.setViewportSize({ width, height });
  await page.setContent(`<body style="margin:0;height:100vh;background:
    radial-gradient(circle at 30% 30%, hsl(${hue} 90% 75%), hsl(${hue + 60} 70% 30%))">`);
  const buffer = await page.screenshot({ type: "jpeg", quality: 90 });
  await page.close();
  return { name: `photo-${hue}.jpg`, mimeType: "image/jpeg", buffer };
}

/** A picture of nothing but noise, which no format makes small: about 4 bytes a pixel. */
export async function drawNoise(context: BrowserContext, edge: number): Promise<PickedFile> {
  const page = await context.newPage();
  const base64 = await page.evaluate(async (size) => {
    const canvas = new OffscreenCanvas(size, size);
    const pen = canvas.getContext("2d");
    if (pen === null) throw new Error("no canvas");
    const image = pen.createImageData(size, size);
    for (let i = 0; i < image.data.length; i += 65_536) {
      crypto.getRandomValues(image.data.subarray(i, i + 65_536));
    }
    for (let i = 3; i < image.data.length; i += 4) image.data[i] = 255;
    pen.putImageData(image, 0, 0);
    const blob = await canvas.convertToBlob({ type: "image/png" });
    const reader = new FileReader();
    const read = new Promise((resolve) => reader.addEventListener("load", resolve));
    reader.readAsDataURL(blob);
    await read;
    return String(reader.result).replace(/^[^,]*,/, "");
  }, edge);
  await page.close();
  return { name: "noise.png", mimeType: "image/png", buffer: Buffer.from(base64, "base64") };
}
