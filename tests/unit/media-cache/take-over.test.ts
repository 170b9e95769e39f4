import { afterEach, expect, test, vi } from "vitest";
import { letTakeOver } from "@/media-cache/worker-messages";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A worker that is installed, until it is told what it has become. */
class Waiting extends EventTarget {
  state = "installed";
  readonly #heard: (type: string) => void;
  constructor(heard: (type: string) => void) {
    super();
    this.#heard = heard;
  }
  postMessage({ type }: { type: string }) {
    this.#heard(`waiting ${type}`);
  }
  become(state: string) {
    this.state = state;
    this.dispatchEvent(new Event("statechange"));
  }
}

/** A registration whose active worker answers when it is told to; `said` is what either heard. */
function registrationOf() {
  const said: string[] = [];
  const ports: MessagePort[] = [];
  const active = {
    postMessage({ type }: { type: string }, [port]: MessagePort[]) {
      said.push(`active ${type}`);
      if (port !== undefined) ports.push(port);
    },
  };
  const waiting = new Waiting((what) => said.push(what));
  const registration = { active, waiting } as unknown as ServiceWorkerRegistration;
  vi.stubGlobal("navigator", { serviceWorker: { getRegistration: async () => registration } });
  return { registration, waiting, said, answer: () => ports.at(-1)?.postMessage({ done: true }) };
}

// Chromium forgets a worker that wants to take over while the active one is only starting.
test("a new version is asked to take over once the one before runs, and not sooner", async () => {
  const { registration, waiting, said, answer } = registrationOf();
  const taken = letTakeOver(registration);
  await expect.poll(() => said).toEqual(["active LET_GO"]);
  answer();
  await expect.poll(() => said).toEqual(["active LET_GO", "waiting SKIP_WAITING"]);
  waiting.become("activating");
  await taken;
});

test("a worker that never answers does not keep a new version out", async () => {
  vi.useFakeTimers();
  const { registration, waiting, said } = registrationOf();
  const taken = letTakeOver(registration);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(said.at(-1)).toBe("waiting SKIP_WAITING");
  waiting.become("activating");
  await taken;
});

test("what was not heard is asked again, and soon the first time", async () => {
  vi.useFakeTimers();
  const { registration, waiting, said, answer } = registrationOf();
  const taken = letTakeOver(registration);
  const asked = () => said.filter((what) => what === "waiting SKIP_WAITING").length;
  for (const [pause, times] of [
    [0, 1],
    [2_000, 2],
    [2_000, 2],
    [38_000, 3],
  ] as const) {
    await vi.advanceTimersByTimeAsync(pause);
    answer();
    await vi.advanceTimersByTimeAsync(0);
    await vi.waitFor(() => expect(asked()).toBe(times));
  }
  // Nobody says so.
  waiting.state = "activated";
  await vi.advanceTimersByTimeAsync(40_000);
  await taken;
  expect(asked()).toBe(3);
});
