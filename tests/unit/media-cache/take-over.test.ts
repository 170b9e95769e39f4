import { afterEach, expect, test, vi } from "vitest";
import { askToTakeOver } from "@/media-cache/worker-messages";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

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
  const waiting = { postMessage: ({ type }: { type: string }) => said.push(`waiting ${type}`) };
  const registration = { active, waiting } as unknown as ServiceWorkerRegistration;
  vi.stubGlobal("navigator", { serviceWorker: { getRegistration: async () => registration } });
  return { registration, said, answer: () => ports.at(0)?.postMessage({ done: true }) };
}

// Chromium forgets a worker that wants to take over while the active one is only starting.
test("a new version is asked to take over once the one before runs, and not sooner", async () => {
  const { registration, said, answer } = registrationOf();
  const asked = askToTakeOver(registration);
  await expect.poll(() => said).toEqual(["active LET_GO"]);
  answer();
  await asked;
  expect(said).toEqual(["active LET_GO", "waiting SKIP_WAITING"]);
});

test("a worker that never answers does not keep a new version out", async () => {
  vi.useFakeTimers();
  const { registration, said } = registrationOf();
  const asked = askToTakeOver(registration);
  await vi.advanceTimersByTimeAsync(30_000);
  await asked;
  expect(said.at(-1)).toBe("waiting SKIP_WAITING");
});
