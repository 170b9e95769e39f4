/** What the main thread of a page did, from the browser's own trace. */
import type { Page } from "playwright-core";

interface TraceEvent {
  name: string;
  ts: number;
  dur?: number;
  tdur?: number;
  tid: number;
  pid: number;
  args?: { name?: string; data?: { url?: string; functionName?: string; fileName?: string } };
}

export interface Task {
  /** Its own time in milliseconds: what other programs of a busy machine took is no work of the page's. */
  ms: number;
  /** What lies in it, the longest first. */
  parts: string[];
}

/** The tasks of the page's main thread while `run` goes on, longest first. */
export async function traceTasks(page: Page, run: () => Promise<unknown>): Promise<Task[]> {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on("Tracing.dataCollected", ({ value }) => {
    events.push(...(value as unknown as TraceEvent[]));
  });
  const done = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  await session.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: {
      includedCategories: ["devtools.timeline", "disabled-by-default-devtools.timeline"],
    },
  });
  await run();
  await session.send("Tracing.end");
  await done;
  await session.detach();
  return tasksOf(events);
}

const ownTime = ({ tdur, dur }: TraceEvent): number => (tdur ?? dur ?? 0) / 1000;

function tasksOf(events: readonly TraceEvent[]): Task[] {
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  // Of all that the browser traces: its spare pages run no script, and a service worker's thread is not the page's.
  const isMain = ({ name, args }: TraceEvent) =>
    name === "thread_name" && args?.name === "CrRendererMain";
  const main = new Set(events.filter(isMain).map(threadOf));
  const scripts = new Set(events.filter(({ name }) => name === "FunctionCall").map(threadOf));
  const ours = new Set([...main].filter((thread) => scripts.has(thread)));
  const mine = events.filter((event) => ours.has(threadOf(event)));
  const partsOf = (task: TraceEvent) =>
    mine
      .filter((event) => event !== task && threadOf(event) === threadOf(task))
      .filter(({ ts, dur = 0 }) => ts >= task.ts && ts + dur <= task.ts + (task.dur ?? 0))
      .sort((a, b) => ownTime(b) - ownTime(a))
      .slice(0, 12)
      .map((event) => {
        const { url = "", fileName = "", functionName = "" } = event.args?.data ?? {};
        return `${ownTime(event).toFixed(1)} ${event.name} ${functionName} ${url || fileName}`.trim();
      });
  return mine
    .filter(({ name }) => name === "RunTask")
    .sort((a, b) => ownTime(b) - ownTime(a))
    .slice(0, 10)
    .map((task) => ({ ms: ownTime(task), parts: partsOf(task) }));
}
