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
}

export interface Trace {
  /** Frames that reached the screen. */
  frames: number;
  /**
   * Milliseconds that the thread ran for each task of the page's main thread in which scripts took part, longest first. What other
   * programs of a busy machine took is no work of the page's.
   */
  tasks: number[];
}

const CATEGORIES = [
  "devtools.timeline",
  "disabled-by-default-devtools.timeline",
  "disabled-by-default-devtools.timeline.frame",
];
const SCRIPTS = new Set(["FunctionCall", "RunMicrotasks", "EvaluateScript", "v8.callFunction"]);

export async function traceDuring(page: Page, run: () => Promise<unknown>): Promise<Trace> {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on("Tracing.dataCollected", ({ value }) => {
    events.push(...(value as unknown as TraceEvent[]));
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

function scriptTasks(events: TraceEvent[]): number[] {
  const scripts = events.filter((event) => SCRIPTS.has(event.name));
  const threads = new Set(scripts.map((event) => `${event.pid} ${event.tid}`));
  const holds = (task: TraceEvent) =>
    scripts.some(
      (event) =>
        event.pid === task.pid &&
        event.tid === task.tid &&
        event.ts >= task.ts &&
        event.ts <= task.ts + (task.dur ?? 0),
    );
  return events
    .filter((event) => event.name === "RunTask" && threads.has(`${event.pid} ${event.tid}`))
    .filter(holds)
    .map((event) => (event.tdur ?? event.dur ?? 0) / 1000)
    .sort((a, b) => b - a);
}
