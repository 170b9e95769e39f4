/** From the sender's tap to the other's screen, both online and 25 ms away from the server, against a bare round trip on the same way. */

import { ChatPage } from "@tests/e2e/pages/chat-page";
import { LoginPage } from "@tests/e2e/pages/login-page";
import { type App, openLastingProfile, type Profile, startApp } from "@tests/support/browser";
import { type DistantServer, distantServer } from "@tests/support/distant-server";
import { type SignedIn, signUp } from "@tests/support/pocketbase";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

const ONE_WAY_MS = 25;
const ROUNDS = 30;
const FRAME_MS = 1000 / 60;

let app: App;
let far: DistantServer;
const profiles: Profile[] = [];

beforeAll(async () => {
  app = await startApp();
  far = await distantServer(app.url, ONE_WAY_MS);
});
afterAll(async () => {
  for (const profile of profiles) await profile.close();
  await far?.close();
  await app?.stop();
});

async function at(who: SignedIn, chatId: string): Promise<Page> {
  const profile = await openLastingProfile({ viewport: { width: 390, height: 844 } });
  profiles.push(profile);
  await new LoginPage(profile.page).enter(far.url, who);
  await profile.page.goto(`${far.url}/chat/${chatId}`);
  await new ChatPage(profile.page).input.waitFor();
  return profile.page;
}

/** When the frame that shows `text` is drawn, milliseconds since 1970. */
const whenSeen = (page: Page, text: string) =>
  page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        const look = () => {
          const shown = [...document.querySelectorAll('[data-testid="message-text"]')];
          if (!shown.some((bubble) => bubble.textContent === wanted)) return;
          watch.disconnect();
          requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now()));
        };
        const watch = new MutationObserver(look);
        watch.observe(document.body, { childList: true, subtree: true, characterData: true });
        look();
      }),
    text,
  );

/** Types `text` and taps; when the tap was, and how many frames were drawn without the own bubble. */
const tap = (page: Page, text: string) =>
  page.evaluate((wanted) => {
    const field = document.querySelector<HTMLTextAreaElement>('[data-testid="message-input"]');
    const button = document.querySelector<HTMLButtonElement>('[data-testid="send-message"]');
    if (field === null || button === null) throw new Error("no composer");
    const { set } = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value") ?? {};
    set?.call(field, wanted);
    field.dispatchEvent(new Event("input", { bubbles: true }));
    const isThere = () =>
      [...document.querySelectorAll('[data-testid="message-text"]')].some(
        (bubble) => bubble.textContent === wanted,
      );
    return new Promise<{ at: number; frames: number }>((resolve) => {
      requestAnimationFrame(() => {
        const at = performance.timeOrigin + performance.now();
        button.click();
        let frames = 0;
        const look = () => {
          if (isThere()) return resolve({ at, frames });
          frames += 1;
          requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      });
    });
  }, text);

const roundTrip = (page: Page) =>
  page.evaluate(async () => {
    const start = performance.now();
    await (await fetch("/api/health")).text();
    return performance.now() - start;
  });

const median = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

test("a message is on the own screen in the frame of the tap, and on the other's within three bare round trips and a frame", async () => {
  const [ada, ben] = [await signUp(app), await signUp(app)];
  const people = [ada.id, ben.id].sort();
  const id = people.join("_");
  await app.api(
    "POST",
    "/api/collections/conversations/records",
    { id, participants: people },
    ada.token,
  );
  const [sender, receiver] = [await at(ada, id), await at(ben, id)];
  const trips: number[] = [];
  const own: number[] = [];
  const frames: number[] = [];
  const other: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    trips.push(await roundTrip(sender));
    const text = `Round ${i} of the way there`;
    const mine = whenSeen(sender, text);
    const theirs = whenSeen(receiver, text);
    const tapped = await tap(sender, text);
    own.push((await mine) - tapped.at);
    frames.push(tapped.frames);
    other.push((await theirs) - tapped.at);
    // What the last one still causes (its read mark, and the pulls for that) is not part of the next one's way.
    await new ChatPage(sender).messageIn(text, "read").waitFor();
    await roundTrip(receiver);
  }
  const trip = median(trips);
  const limit = 3 * trip + FRAME_MS;
  process.stdout.write(
    `round trip ${trip.toFixed(1)} ms; own bubble ${median(own).toFixed(1)} ms, ` +
      `${Math.max(...frames)} frames without it at most; ` +
      `other's screen ${median(other).toFixed(1)} ms (<= ${limit.toFixed(1)})\n`,
  );
  expect(median(other)).toBeLessThanOrEqual(limit);
  expect(frames).toEqual(Array(ROUNDS).fill(0));
});
