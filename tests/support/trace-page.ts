/** What a page does while something goes on, from the browser's own trace. */
import type { Page } from "playwright-core";

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  ts: number;
  /** Microseconds, and of them those that the thread ran. */
  dur?: number;
  tdur?: number;
  args?: { name?: string; data?: { url?: string; functionName?: string; fileName?: string } };
}

export interface Task {
  /**
   * Milliseconds that the thread ran for the page: neither what other programs of a busy machine took, nor what it costs that
   * somebody looks on.
   */
  ms: number;
  /** What lies in it, the longest first. */
  parts: string[];
}

export interface Trace {
  /** Frames that reached the screen. */
  frames: number;
  /** The longest tasks of the page's main thread in which scripts took part, longest first. */
  tasks: Task[];
}

const CATEGORIES = [
  "devtools.timeline",
  "disabled-by-default-devtools.timeline",
  "disabled-by-default-devtools.timeline.frame",
  "disabled-by-default-v8.compile",
];
/**
 * Parsing a script once more for the lines of its functions. The browser does so for every Error that is made, whether or not it is
 * ever read, while a debugger is attached; React makes some as it is loaded. Without a debugger nobody waits for that.
 */
const FOR_DEBUGGER = "V8.CollectSourcePositions";
const SCRIPTS = new Set(["FunctionCall", "RunMicrotasks", "EvaluateScript", "v8.callFunction"]);
const TASKS = 10;
const PARTS = 12;

export async function traceDuring(page: Page, run: () => Promise<unknown>): Promise<Trace> {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on("Tracing.dataCollected", ({ value }) => {
    for (const event of value as unknown as TraceEvent[]) events.push(event);
  });
  const done = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  await session.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: CATEGORIES },
  });
  await run();
  await session.send("Tracing.end");
  await done;
  await session.detach();
  return {
    frames: events.filter((event) => event.name === "DrawFrame").length,
    tasks: scriptTasks(events),
  };
}

const ownTime = ({ tdur, dur }: TraceEvent): number => (tdur ?? dur ?? 0) / 1000;
const threadOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;

function scriptTasks(events: readonly TraceEvent[]): Task[] {
  // A service worker's thread is not the page's, and the browser's spare pages run no script.
  const isMain = ({ name, args }: TraceEvent) =>
    name === "thread_name" && args?.name === "CrRendererMain";
  const main = new Set(events.filter(isMain).map(threadOf));
  const mine = events
    .filter((event) => main.has(threadOf(event)))
    .sort((a, b) => a.pid - b.pid || a.tid - b.tid || a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
  const tasks: { task: TraceEvent; inside: TraceEvent[] }[] = [];
  for (const event of mine) {
    if (event.name === "RunTask") tasks.push({ task: event, inside: [] });
    else if (event.dur !== undefined) {
      const last = tasks.at(-1);
      if (last !== undefined && lies(event, last.task)) last.inside.push(event);
    }
  }
  return tasks
    .filter(({ inside }) => inside.some(({ name }) => SCRIPTS.has(name)))
    .map(({ task, inside }) => ({ ms: ownTime(task) - forDebugger(inside), inside }))
    .sort((a, b) => b.ms - a.ms)
    .slice(0, TASKS)
    .map(({ ms, inside }) => ({ ms, parts: partsOf(inside) }));
}

const forDebugger = (inside: readonly TraceEvent[]): number =>
  inside
    .filter(({ name }) => name === FOR_DEBUGGER)
    .reduce((sum, event) => sum + ownTime(event), 0);

const lies = (event: TraceEvent, task: TraceEvent): boolean =>
  event.pid === task.pid && event.tid === task.tid && event.ts <= task.ts + (task.dur ?? 0);

const partsOf = (inside: readonly TraceEvent[]): string[] =>
  [...inside]
    .sort((a, b) => ownTime(b) - ownTime(a))
    .slice(0, PARTS)
    .map((event) => {
      const { url = "", fileName = "", functionName = "" } = event.args?.data ?? {};
      return `${ownTime(event).toFixed(1)} ${event.name} ${functionName} ${url || fileName}`.trim();
    });
