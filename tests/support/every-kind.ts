/** Photos of every kind in one browser: each is taken and shown. */
import type { App } from "./browser";
import type { Device } from "./device";
import { fixture, signUpOn, untilPainted, uploadOn } from "./journey";
import type { FixtureName } from "./media-fixtures";

const PHOTOS: readonly FixtureName[] = ["photo.jpg", "photo.png", "photo.gif", "photo.webp"];

export async function shareEveryPhoto(app: App, device: Device): Promise<void> {
  await signUpOn(device, app, "eve.k");
  for (const name of PHOTOS) {
    await uploadOn(device, [fixture(name)], `A ${name}`);
    await untilPainted(device, `A ${name}`);
  }
}
