/** `/terms` and `/privacy`: placeholders, offline once seen, on paper, and the way back. */

import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { createSuperuser } from "@tests/support/pocketbase";
import { untilControlled } from "@tests/support/until-controlled";
import { afterAll, beforeAll, expect, test } from "vitest";

let app: App;
let token: string;
let profile: Profile;

beforeAll(async () => {
  app = await startApp();
  token = (await createSuperuser(app)).token;
  profile = await openProfile({ viewport: { width: 390, height: 844 }, colorScheme: "dark" });
});

afterAll(async () => {
  await profile?.close();
  await app?.stop();
});

async function publish(id: "terms" | "privacy", content: string): Promise<void> {
  const where = `/api/collections/settings/records/${id}`;
  expect((await app.api("PATCH", where, { content }, token)).status).toBe(200);
}

test("before anything is written the placeholders stand, with the longer notice", async () => {
  const { page } = profile;
  await page.goto(`${app.url}/terms`);
  for (const [id, none, notice] of [
    [
      "terms",
      "No terms of service available yet.",
      "Currently no terms of service available. The administrator can add these in the admin panel.",
    ],
    [
      "privacy",
      "No privacy policy available yet.",
      "Currently no privacy policy available. The administrator can add these in the admin panel.",
    ],
  ] as const) {
    const box = page.getByTestId(`legal-none-${id}`);
    await box.getByText(notice).waitFor();
    await box.getByText(none).waitFor();
  }
  await page.getByTestId("back-home").click();
  await page.waitForURL(`${app.url}/`);
});

test("published texts appear on the open page, privacy first under its own address", async () => {
  const { page } = profile;
  await page.goto(`${app.url}/privacy`);
  await page.getByTestId("legal-none-privacy").waitFor();
  await publish("privacy", "<h2>What we keep</h2><p>Little.</p>");
  await publish("terms", "<h2>Be kind</h2><p>Always.</p>");
  await page.getByRole("heading", { name: "What we keep" }).waitFor();
  await page.getByRole("heading", { name: "Be kind" }).waitFor();
  const headings = await page.getByRole("heading", { level: 1 }).allInnerTexts();
  expect(headings).toEqual(["Privacy Policy"]);
  expect(await page.getByText(/^Last updated: /).count()).toBe(2);
});

test("on paper there is the text alone, dark on white even in the dark theme", async () => {
  const { page } = profile;
  await page.emulateMedia({ media: "print" });
  for (const hidden of ["header", "footer"]) {
    expect(await page.locator(`.shell-page > ${hidden}`).isVisible()).toBe(false);
  }
  expect(await page.getByTestId("print").isVisible()).toBe(false);
  expect(await page.getByText("Little.").isVisible()).toBe(true);
  const colors = await page.evaluate(() => {
    const { color, backgroundColor } = getComputedStyle(document.body);
    return { color, backgroundColor };
  });
  expect(colors).toEqual({ color: "rgb(0, 0, 0)", backgroundColor: "rgb(255, 255, 255)" });
  await page.emulateMedia({ media: null });
});

test("what was seen once is there without a server; what was not, says so beneath the placeholder", async () => {
  const { page } = profile;
  await untilControlled(page);
  await app.stop();
  await page.goto(`${app.url}/terms`);
  await page.getByRole("heading", { name: "Be kind" }).waitFor();
  await page.getByRole("heading", { name: "What we keep" }).waitFor();
  await page.evaluate(async () => {
    for (const { name } of await indexedDB.databases()) if (name) indexedDB.deleteDatabase(name);
  });
  const logged = page.waitForEvent("console", {
    predicate: (line) => line.text().includes("a legal text could not be loaded"),
  });
  await page.goto(`${app.url}/terms`);
  const none = page.getByTestId("legal-none-terms");
  await none.getByText("No terms of service available yet.").waitFor();
  await none.getByText("This text isn't on this device yet.").waitFor();
  await logged;
  expect(profile.errors).toEqual([]);
});

test("opened offline for the first time, nothing moves", async () => {
  await app.restart();
  const first = await openProfile({ viewport: { width: 390, height: 844 } });
  const { page } = first;
  await page.addInitScript(() => {
    const moved: unknown[] = [];
    Object.assign(window, { moved });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, sources } = entry as unknown as {
          value: number;
          sources: { node: Element | null }[];
        };
        moved.push([value, ...sources.map(({ node }) => node?.outerHTML?.slice(0, 90))]);
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(app.url);
  await untilControlled(page);
  await app.stop();
  await page.goto(`${app.url}/terms`);
  const text = page.getByTestId("legal-privacy").getByText("Little.");
  await text.or(page.getByTestId("legal-none-privacy")).first().waitFor();
  await page.locator("footer").and(page.locator(":visible")).waitFor();
  const moved = await page.evaluate(() => (window as unknown as { moved: unknown[] }).moved);
  expect(moved).toEqual([]);
  await first.close();
});

test("where the browser sanitises nothing, the text is the same", async () => {
  await app.restart();
  const good = '<h2>Be kind</h2><p>Always, <a href="https://example.com/">here too</a>.</p>';
  await publish("terms", good);
  const shown: string[] = [];
  for (const isOlder of [false, true]) {
    const other = await openProfile({ viewport: { width: 390, height: 844 } });
    if (isOlder)
      await other.context.addInitScript(() => Reflect.deleteProperty(Element.prototype, "setHTML"));
    await other.page.goto(`${app.url}/terms`);
    const text = other.page.getByTestId("legal-terms").locator(".rich-text");
    await text.waitFor();
    shown.push(await text.innerHTML());
    await other.close();
  }
  const [now, older] = shown;
  expect(now).toContain('href="https://example.com/"');
  expect(older).toBe(now);
});

test("what the server would never store runs in neither way", async () => {
  const bad =
    '<div><p onclick="hit()" style="color:red">Kept</p></div><script>hit()</script><img src=x onerror="hit()"><a href="javascript:hit()">Go</a>';
  for (const isOlder of [false, true]) {
    const other = await openProfile({ viewport: { width: 390, height: 844 } });
    if (isOlder)
      await other.context.addInitScript(() => Reflect.deleteProperty(Element.prototype, "setHTML"));
    await other.page.route(/\/api\/collections\/settings\/records|\/api\/sync/, async (route) => {
      const answer = await route.fetch();
      const text = (await answer.text()).replace(/<h2>Be kind.*?<\/p>/, () =>
        JSON.stringify(bad).slice(1, -1),
      );
      await route.fulfill({ response: answer, body: text });
    });
    await other.page.goto(`${app.url}/terms`);
    const text = other.page.getByTestId("legal-terms").locator(".rich-text");
    await text.getByText("Kept").waitFor();
    expect(
      await text.locator("script, [onclick], [style], [onerror], [href^=javascript]").count(),
    ).toBe(0);
    // Another answer may be under way.
    await other.page.unrouteAll({ behavior: "ignoreErrors" });
    await other.close();
  }
});
