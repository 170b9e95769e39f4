/**
 * WebKitGTK as a device: MiniBrowser, driven by WebDriver on a display that nobody sees. Under a
 * driver it keeps everything in memory, as Safari's private windows do.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { findWebKit } from "@scripts/browsers.mjs";
import {
  Builder,
  Capabilities,
  error as driverErrors,
  type WebDriver,
  type WebElement,
} from "selenium-webdriver";
import type { Device, Part } from "./device";
import { PAGE_MS } from "./patience";
import { endWithTests, freePort, temporaryFolder } from "./pocketbase";

export async function openWebKit(): Promise<Device> {
  const { driver: program, display: displayProgram } = await findWebKit();
  const display = await openDisplay(displayProgram);
  const port = await freePort();
  const home = temporaryFolder("augenblick-webkit-");
  const env = { ...process.env, DISPLAY: display.name, HOME: home };
  const service = endWithTests(spawn(program, [`--port=${port}`], { env, stdio: "ignore" }));
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url);
  const driver = await new Builder()
    .usingServer(url)
    .withCapabilities(new Capabilities({ browserName: "MiniBrowser" }))
    .build();
  await driver.manage().setTimeouts({ script: PAGE_MS, pageLoad: PAGE_MS });
  return deviceOf(driver, async () => {
    await driver.quit();
    service.kill();
    display.close();
  });
}

/** X without a screen. It takes the first number that is free, and says which. */
async function openDisplay(program: string) {
  const args = ["-displayfd", "3", "-screen", "0", "1280x900x24", "-nolisten", "tcp"];
  const stdio = ["ignore", "ignore", "ignore", "pipe"] as const;
  const child = endWithTests(spawn(program, args, { stdio: [...stdio] }));
  const told = child.stdio[3];
  if (told === null || told === undefined) throw new Error("Xvfb has no pipe to answer on");
  const [number] = await once(told, "data");
  return { name: `:${String(number).trim()}`, close: () => child.kill() };
}

async function untilReady(url: string): Promise<void> {
  const deadline = Date.now() + PAGE_MS;
  while (Date.now() < deadline) {
    const answer = await fetch(`${url}/status`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("WebKitWebDriver did not answer");
}

/** Runs in the page: the elements of a part, of which `visible` leaves only what one can see. */
function findAll(part: Part, visible: boolean): Element[] {
  let found: ParentNode[] = [document];
  for (const { css, text } of part) {
    const inside = found.flatMap((root) => [...root.querySelectorAll(css)]);
    found = inside.filter(({ textContent }) => (textContent ?? "").includes(text ?? ""));
  }
  const shows = (element: Element) =>
    element.checkVisibility() && element.getClientRects().length > 0;
  return (found as Element[]).filter((element) => !visible || shows(element));
}

/** Something else, such as a toast, still lies over it, or it went while we looked. */
function isCovered(error: unknown): false {
  const passing = [
    driverErrors.ElementClickInterceptedError,
    driverErrors.ElementNotInteractableError,
    driverErrors.StaleElementReferenceError,
  ];
  if (passing.some((kind) => error instanceof kind)) return false;
  throw error;
}

function deviceOf(driver: WebDriver, close: () => Promise<void>): Device {
  const find = (part: Part, visible: boolean): Promise<WebElement[]> =>
    driver.executeScript(`return (${findAll})(...arguments)`, part, visible);
  const until = async <Value>(what: () => Promise<Value | false>, part: Part) => {
    const message = () => `waiting for ${JSON.stringify(part)}`;
    return (await driver.wait(what, PAGE_MS, message())) as Value;
  };
  const first = (part: Part, visible = true): Promise<WebElement> =>
    until(async () => (await find(part, visible))[0] ?? false, part);
  return {
    open: (address) => driver.get(address),
    reload: () => driver.navigate().refresh(),
    back: () => driver.navigate().back(),
    address: () => driver.getCurrentUrl(),
    sees: async (part) => void (await first(part)),
    misses: async (part) =>
      void (await until(async () => (await find(part, false)).length === 0, part)),
    count: async (part) => (await find(part, false)).length,
    click: (part) =>
      until(async () => {
        const [element] = await find(part, true);
        if (element === undefined) return false;
        await driver.executeScript("arguments[0].scrollIntoView({ block: 'center' })", element);
        return element.click().then(() => true, isCovered);
      }, part).then(() => undefined),
    types: async (part, text) => (await first(part)).sendKeys(text),
    picks: async (part, files) => {
      const field = await first(part, false);
      for (const file of files) await field.sendKeys(file);
    },
    run: async (script, argument) => {
      const body = `
        const done = arguments[1];
        (${script})(arguments[0]).then(
          (value) => done({ value }),
          (error) => done({ error: String(error) }),
        );`;
      const answer = await driver.executeAsyncScript<{ value: never; error?: string }>(
        body,
        argument,
      );
      if (answer.error !== undefined) throw new Error(answer.error);
      return answer.value;
    },
    errors: [],
    close,
  };
}
