/** The journey that `npm run test:more` drives in Firefox and WebKitGTK, in Chromium. */
import { type App, startApp } from "@tests/support/browser";
import type { Device } from "@tests/support/device";
import { takeJourney } from "@tests/support/journey";
import { openChromium } from "@tests/support/playwright-device";
import { afterAll, beforeAll, test } from "vitest";

let app: App;
let device: Device;

beforeAll(async () => {
  app = await startApp();
  device = await openChromium();
});

afterAll(async () => {
  await device?.close();
  await app?.stop();
});

test("a visitor signs up, shares, chats, and goes on without the network", () =>
  takeJourney(app, device));
