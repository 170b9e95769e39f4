/**
 * A device with a real browser: up to two tabs on one storage, of which one leads. A tab may be closed at any await;
 * the other goes on, or a new one begins with what lies there. What sends without a page comes between them, and dies too.
 */
import { readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { findChromium } from "@scripts/browsers.mjs";
import { CHROMIUM_FLAGS } from "@tests/support/browser";
import { type FaultProxy, pass, startFaultProxy } from "@tests/support/fault-proxy";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import type { ChaosDevice, Closed, DeviceOptions } from "./chaos-device";
import { Died } from "./died";
import { faultPlan } from "./fault-plan";
import type { Operation } from "./operations";
import { DIE_PATH, PAGE_PATH, SCRIPT_PATH } from "./page-paths";

/** Both tabs must come to show the same within this time. */
const AGREE_MS = 60_000;

interface Tab {
  number: number;
  page: Page;
}

/** What a sender leaves that was not closed under way. */
interface Ended {
  /** "" for none. */
  fault: string;
  complaints: string[];
}

export async function startPageDevice(options: DeviceOptions): Promise<ChaosDevice> {
  const { name, share, haste } = options;
  const script = await readFile(options.program, "utf8");
  const tabs: Tab[] = [];
  const senders = new Set<Tab>();
  const onDie = (number: number) => {
    const tab = [...tabs, ...senders].find((each) => each.number === number);
    void tab?.page.close().catch(() => undefined);
  };
  const proxy = await startFaultProxy({
    target: options.target,
    answerItself: (path, answer) => answerItself({ path, answer, script, onDie }),
  });
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    headless: true,
    args: CHROMIUM_FLAGS,
  });
  const context = await browser.newContext();
  const opener = { context, proxy, boot: { share, haste } };
  const complaints: string[] = [];
  const vanished: string[] = [];
  let opened = 0;
  let asked = 0;
  let restarts = 0;
  const open = async () => {
    opened += 1;
    tabs.push(await openTab(opener, opened));
  };
  /** It sends while no tab leads, and ends by itself, or dies. */
  const openSender = async () => {
    opened += 1;
    const sender = { number: opened, page: await context.newPage() };
    senders.add(sender);
    const senderDies = 20 + ((opened * 37) % 160);
    const send = async () => {
      await goTo(sender, { proxy, boot: { ...opener.boot, senderDies } });
      const forever = { timeout: 0 };
      const isOver = () => (window as { ended?: object }).ended;
      const said = await sender.page.waitForFunction(isOver, null, forever);
      const { fault, complaints: heard } = (await said.jsonValue()) as Ended;
      complaints.push(...heard);
      if (fault !== "") complaints.push(`${name}: ${fault}`);
      await sender.page.close();
    };
    void send()
      .catch(() => {
        if (senders.has(sender)) device.deaths += 1;
      })
      .finally(() => senders.delete(sender));
  };
  /** Whatever they are doing. */
  const endSenders = async () => {
    const all = [...senders];
    senders.clear();
    await Promise.all(all.map(({ page }) => page.close()));
  };
  /** One that dies while it is asked is gone, and what it left is for the next. */
  const askIn = async (tab: Tab, order: string, args: readonly unknown[]): Promise<unknown> => {
    try {
      return await askTab(tab.page, order, args);
    } catch (error) {
      if (!tab.page.isClosed()) throw error;
      tabs.splice(tabs.indexOf(tab), 1);
      device.deaths += 1;
      throw new Died(name);
    }
  };
  const closeTab = async (tab: Tab): Promise<Closed> => {
    const left = (await askIn(tab, "close", [])) as Closed;
    tabs.splice(tabs.indexOf(tab), 1);
    await tab.page.close();
    complaints.push(...left.complaints);
    vanished.push(...left.vanished);
    return left;
  };
  /** Each operation is done in another tab than the one before; all else is asked of the first. */
  const tabFor = (order: string): Tab => {
    asked += 1;
    return tabs[order === "act" ? asked % tabs.length : 0] as Tab;
  };
  await open();
  const device: ChaosDevice = {
    name,
    share,
    proxy,
    deaths: 0,
    async ask(order, ...args) {
      if (tabs.length === 0) await open();
      if (order === "liveOn") {
        await endSenders();
        for (const tab of [...tabs]) await askIn(tab, order, args);
      }
      return (await askIn(tabFor(order), order, args)) as never;
    },
    misbehave(seed) {
      proxy.decide = faultPlan(seed);
    },
    /**
     * Where there is one tab a second opens. Where there are two, by turns the one that leads is
     * closed, or both are, and what sends without a page begins.
     */
    async restart() {
      const [first] = tabs;
      if (tabs.length <= 1 || first === undefined) return open();
      restarts += 1;
      if (restarts % 2 === 1) for (const tab of [...tabs]) await closeTab(tab);
      else await closeTab(first);
      if (tabs.length === 0) await openSender();
    },
    async close() {
      await endSenders();
      while (tabs.length < 2) await open();
      const violations = await disagreement(name, tabs);
      let left: Closed | null = null;
      for (const tab of [...tabs]) left = await closeTab(tab);
      if (left === null) throw new Error(`${name}: no tab is left`);
      return { disk: left.disk, complaints, vanished, violations };
    },
    async end() {
      proxy.decide = pass;
      await browser.close();
      await proxy.close();
    },
  };
  return device;
}

interface Asked {
  path: string;
  answer: ServerResponse;
  script: string;
  onDie: (tab: number) => void;
}

function answerItself({ path, answer, script, onDie }: Asked): boolean {
  if (path.startsWith(DIE_PATH)) {
    onDie(Number(path.slice(DIE_PATH.length + 1)));
    return true;
  }
  if (path !== PAGE_PATH && path !== SCRIPT_PATH) return false;
  const isPage = path === PAGE_PATH;
  answer.writeHead(200, { "Content-Type": isPage ? "text/html" : "text/javascript" });
  answer.end(isPage ? `<script type="module" src="${SCRIPT_PATH}"></script>` : script);
  return true;
}

interface Opener {
  context: BrowserContext;
  proxy: FaultProxy;
  boot: object;
}

async function goTo({ number, page }: Tab, { proxy, boot }: Omit<Opener, "context">) {
  const settings = encodeURIComponent(JSON.stringify({ ...boot, tab: number }));
  await page.goto(`${proxy.url}${PAGE_PATH}#${settings}`);
}

async function openTab({ context, ...opener }: Opener, number: number): Promise<Tab> {
  const tab = { number, page: await context.newPage() };
  await goTo(tab, opener);
  await tab.page.waitForFunction(() => "ask" in window);
  return tab;
}

function askTab(page: Page, name: string, args: readonly unknown[]): Promise<unknown> {
  const sent = name === "act" ? [withBase64(args[0] as Operation)] : args;
  return page.evaluate(
    ([order, all]) =>
      (window as unknown as { ask(n: string, a: unknown): Promise<unknown> }).ask(order, all),
    [name, sent] as const,
  );
}

function withBase64(order: Operation): object {
  if (!("bytes" in order) || order.bytes === null) return order;
  const { bytes, ...rest } = order;
  return { ...rest, base64: Buffer.from(bytes).toString("base64") };
}

async function disagreement(name: string, tabs: readonly Tab[]): Promise<string[]> {
  const until = Date.now() + AGREE_MS;
  for (;;) {
    const screens = await Promise.all(tabs.map(({ page }) => askTab(page, "screen", [])));
    if (new Set(screens).size === 1) return [];
    if (Date.now() > until)
      return [`${name}: its tabs show different things: ${screens.join(" | ")}`];
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
