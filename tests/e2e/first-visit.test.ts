/** What a first visit costs the network, until everything is put aside for a start without one. */
import { request as ask, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type App, openProfile, startApp } from "@tests/support/browser";
import { createSuperuser, signUp } from "@tests/support/pocketbase";
import { seedMedia } from "@tests/support/seed-media";
import { untilControlled } from "@tests/support/until-controlled";
import { afterAll, beforeAll, expect, test } from "vitest";

const KB = 1024;
/** Everything but pictures: page, program, texts, the worker and what it puts aside, 300 rows. */
const MOST = 445 * KB;
const SHOWN = 300;

let app: App;
beforeAll(async () => {
  app = await startApp();
  const superuser = await createSuperuser(app);
  const { id } = await signUp(app);
  const media = Array.from({ length: SHOWN }, (_, i) => ({
    id: `p${String(i).padStart(14, "0")}`,
    caption: `Evening light over the harbour, picture ${i} of this journey`,
    tags: ["harbour", "evening"],
    age: i,
  }));
  await seedMedia(app, superuser.token, id, media);
});
afterAll(() => app?.stop());

/** Passes everything on, and notes what each answer weighs, as it crosses the network. */
async function scales(target: string) {
  const seen: { path: string; status: number; bytes: number }[] = [];
  const server = createServer((asked, answer) => {
    const path = asked.url ?? "";
    const { method, headers } = asked;
    const passed = ask(target + path, { method, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers);
      const status = given.statusCode ?? 502;
      const one = { path, status, bytes: given.rawHeaders.join("").length };
      seen.push(one);
      given.on("data", (piece: Buffer) => {
        one.bytes += piece.length;
      });
      given.pipe(answer);
    });
    passed.on("error", () => answer.destroy());
    answer.on("close", () => passed.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

test("a first visit fetches no part of the app twice, and not more than it may", async () => {
  const scale = await scales(app.url);
  const profile = await openProfile({ fresh: true });
  try {
    await profile.page.goto(scale.url);
    await profile.page.getByTestId("media-card").first().waitFor();
    await untilControlled(profile.page);
    const { seen } = scale;
    // Asking whether a file has changed costs its headers alone.
    const whole = seen.filter(({ status }) => status === 200);
    const times = new Map<string, number>();
    for (const { path } of whole) {
      const part = path === "/index.html" ? "/" : path;
      if (!part.startsWith("/api/")) times.set(part, (times.get(part) ?? 0) + 1);
    }
    const weighed = seen.filter(({ path }) => !path.startsWith("/api/files/"));
    expect([...times].filter(([, count]) => count > 1)).toEqual([]);
    expect(weighed.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(MOST);
  } finally {
    await profile.close();
    scale.close();
  }
});
