/** After one visit the app starts at every address with no network at all, signed in or not. */
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signAdaUp } from "./pages/ada";

let app: App;
let visitor: Profile;
let member: Profile;

/** What the worker holds must be there before the network goes. */
const untilKept = async ({ page }: Profile): Promise<void> => {
  await page.getByTestId("gallery-empty").waitFor();
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    if (active?.state === "activated") return;
    await new Promise<void>((resolve) => {
      active?.addEventListener("statechange", () => active.state === "activated" && resolve());
    });
  });
};

beforeAll(async () => {
  app = await startApp();
  [visitor, member] = [await openProfile({ fresh: true }), await openProfile({ fresh: true })];
  await visitor.page.goto(app.url);
  await signAdaUp(app, member.page);
  await untilKept(visitor);
  await untilKept(member);
  await app.stop();
});

afterAll(async () => {
  await Promise.allSettled([visitor?.close(), member?.close()]);
});

const offline: [address: string, testId: string][] = [
  ["/", "gallery-offline"],
  ["/login", "login-form"],
  ["/signup", "signup-form"],
  ["/upload", "sign-in-required"],
  ["/outbox", "outbox-empty"],
  ["/device", "nothing-kept"],
  ["/view/not-here-abcdefghijklmno", "media-not-found"],
  ["/terms", "back-home"],
  ["/privacy", "back-home"],
  ["/no/such/page", "not-found"],
];

describe("without a network, after one visit", () => {
  test.each(offline)("%s starts for a visitor", async (address, testId) => {
    await visitor.page.goto(`${app.url}${address}`);
    await visitor.page.getByTestId(testId).first().waitFor();
  });

  test("the upload form starts for a member, who is still signed in", async () => {
    await member.page.goto(`${app.url}/upload`);
    await member.page.getByTestId("upload-form").waitFor();
    await member.page.getByTestId("profile-menu").waitFor();
  });

  test("what the server alone can do says so", async () => {
    await member.page.goto(`${app.url}/profile?tab=settings`);
    await member.page.getByTestId("delete-account").click();
    await member.page.getByTestId("toast").getByText("Your account hasn't been deleted").waitFor();
    expect(await member.page.getByTestId("delete-account-form").count()).toBe(0);
    expect([...member.errors, ...visitor.errors]).toEqual([]);
  });
});
