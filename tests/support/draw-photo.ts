/** Photos for tests: JPEG pictures of a small page, each of its own colours. */
import type { BrowserContext } from "playwright-core";

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
