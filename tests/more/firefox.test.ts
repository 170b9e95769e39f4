import { type App, startApp } from "@tests/support/browser";
import type { Device } from "@tests/support/device";
import { shareEveryPhoto } from "@tests/support/every-kind";
import { takeJourney } from "@tests/support/journey";
import { openFirefox } from "@tests/support/playwright-device";
import { afterEach, beforeEach, test } from "vitest";

let app: App;
let device: Device;

beforeEach(async () => {
  app = await startApp();
  device = await openFirefox();
});

afterEach(async () => {
  await device?.close();
  await app?.stop();
});

test("a visitor signs up, shares, chats, and goes on without the network", () =>
  takeJourney(app, device));

test("photos of every kind are taken and shown", () => shareEveryPhoto(app, device));
