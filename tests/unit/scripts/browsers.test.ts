import { chmod, writeFile } from "node:fs/promises";
import path from "node:path";
import { ensureBrowsers, findChromium, findFirefox, findWebKit } from "@scripts/browsers.mjs";
import { temporaryFolder } from "@tests/support/pocketbase";
import { expect, test, vi } from "vitest";

test("Chromium is found on the path, or where CHROMIUM_BIN says", async () => {
  const folder = temporaryFolder();
  const program = path.join(folder, "chromium");
  await writeFile(program, "");
  await expect(findChromium({ PATH: folder })).rejects.toThrow("Chromium is missing");
  await chmod(program, 0o755);
  expect(await findChromium({ PATH: `/nonexistent:${folder}` })).toBe(program);
  expect(await findChromium({ PATH: "", CHROMIUM_BIN: program })).toBe(program);
});

test("where it is missing, one sentence says what to install", async () => {
  await expect(findChromium({ PATH: temporaryFolder() })).rejects.toThrow(
    'Chromium is missing: install it (on Debian "apt-get install chromium") or set CHROMIUM_BIN to its path.',
  );
  await expect(findChromium({ CHROMIUM_BIN: "/nonexistent" })).rejects.toThrow(
    "CHROMIUM_BIN names /nonexistent, which is not a program that can be run.",
  );
});

test("Firefox and WebKitGTK's driver are found the same way, and the driver needs a screen", async () => {
  const folder = temporaryFolder();
  const program = async (name: string) => {
    await writeFile(path.join(folder, name), "", { mode: 0o755 });
    return path.join(folder, name);
  };
  const env = { PATH: folder };
  await expect(findFirefox(env)).rejects.toThrow(
    '"apt-get install firefox-esr") or set FIREFOX_BIN',
  );
  await expect(findWebKit(env)).rejects.toThrow('"apt-get install webkit2gtk-driver") or set');
  const firefox = await program("firefox-esr");
  const driver = await program("WebKitWebDriver");
  await expect(findWebKit(env)).rejects.toThrow(
    'Xvfb is missing: install it (on Debian "apt-get install xvfb").',
  );
  const display = await program("Xvfb");
  expect(await findFirefox(env)).toBe(firefox);
  expect(await findWebKit(env)).toEqual({ driver, display });
});

test("whoever may not install them is told what to install", async () => {
  vi.stubEnv("PATH", temporaryFolder());
  vi.stubEnv("FIREFOX_BIN", "");
  vi.spyOn(process, "getuid").mockReturnValue(1000);
  await expect(ensureBrowsers(["firefox", "webkit", "display"])).rejects.toThrow(
    'Firefox is missing: install it (on Debian "apt-get install firefox-esr")',
  );
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});
