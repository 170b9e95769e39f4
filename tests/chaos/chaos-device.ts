/**
 * A device as the run holds it: its disk, its own bad way to the server, and the thread in which its client runs. The
 * thread may die at any await; the disk stays, and the next thread begins with it.
 */
import { Worker } from "node:worker_threads";
import { type FaultProxy, pass, startFaultProxy } from "@tests/support/fault-proxy";
import type { Orders } from "./device-orders";
import type { Boot } from "./device-thread";
import { Died } from "./died";
import { faultPlan } from "./fault-plan";
import { foreignRows } from "./foreign-rows";
import type { Share } from "./operations";
import type { StorageSnapshot } from "./rows-on-disk";

export interface Closed {
  disk: StorageSnapshot;
  complaints: string[];
  vanished: string[];
  /** What was wrong with it while it still ran. */
  violations: string[];
}

export interface ChaosDevice {
  name: string;
  share: Share;
  proxy: FaultProxy;
  /** Died by the run's will. */
  deaths: number;
  ask<Name extends keyof Orders>(
    name: Name,
    ...args: Parameters<Orders[Name]>
  ): Promise<Awaited<ReturnType<Orders[Name]>>>;
  /** From now on requests meet what the plan of this seed says. */
  misbehave(seed: number): void;
  /** Ends the app properly and starts it again on the same disk. */
  restart(): Promise<void>;
  /** Ends the app; what it leaves behind. */
  close(): Promise<Closed>;
  /** Ends the app, whatever it is doing, and its way to the server. */
  end(): Promise<void>;
}

export interface DeviceOptions {
  name: string;
  program: string;
  target: string;
  share: Share;
  haste: number;
}

interface Message {
  id?: number;
  value?: unknown;
  error?: string;
  died?: StorageSnapshot;
}

export async function startDevice(options: DeviceOptions): Promise<ChaosDevice> {
  const { name, share } = options;
  const proxy = await startFaultProxy({ target: options.target });
  const complaints: string[] = [];
  const vanished: string[] = [];
  const violations = new Set<string>();
  let disk: StorageSnapshot = { databases: [], local: [] };
  const take = (left: StorageSnapshot) => {
    disk = left;
    for (const fault of foreignRows(disk)) violations.add(`${name}: ${fault}`);
  };
  let thread = openThread(options, proxy.url, disk);
  const device: ChaosDevice = {
    name,
    share,
    proxy,
    deaths: 0,
    ask: async (order, ...args) => {
      // It may have died while nothing was asked of it.
      if (thread.isDead()) await revive();
      const answer = await thread.ask(order, args);
      if (!(answer instanceof Died)) return answer as never;
      await revive();
      throw answer;
    },
    misbehave(seed) {
      proxy.decide = faultPlan(seed);
    },
    async restart() {
      await shut();
      thread = openThread(options, proxy.url, disk);
    },
    async close() {
      await shut();
      return { disk, complaints, vanished, violations: [...violations] };
    },
    async end() {
      proxy.decide = pass;
      await thread.end();
      await proxy.close();
    },
  };
  const revive = async () => {
    const left = await thread.dead;
    if (left === null || left === disk) return;
    take(left);
    device.deaths += 1;
    thread = openThread(options, proxy.url, disk);
  };
  const shut = async () => {
    const left = await device.ask("close");
    take(left.disk);
    complaints.push(...left.complaints);
    vanished.push(...left.vanished);
    await thread.end();
  };
  return device;
}

interface Thread {
  /** What was asked, or `Died`. */
  ask(name: string, args: unknown[]): Promise<unknown>;
  isDead(): boolean;
  /** The disk that it left when it died; null where it ended otherwise. */
  dead: Promise<StorageSnapshot | null>;
  end(): Promise<void>;
}

function openThread(options: DeviceOptions, baseUrl: string, disk: StorageSnapshot): Thread {
  const { program, share, haste } = options;
  const worker = new Worker(program, {
    workerData: { baseUrl, share, disk, haste } satisfies Boot,
    // RxDB tells of its paid storages in each of them.
    stdout: true,
    stderr: true,
  });
  const waiting = new Map<number, { settle: (value: unknown) => void; fail: (e: Error) => void }>();
  let asked = 0;
  let bury: (left: StorageSnapshot | null) => void = () => undefined;
  const dead = new Promise<StorageSnapshot | null>((resolve) => {
    bury = resolve;
  });
  const fail = (error: unknown) => {
    for (const { fail: reject } of waiting.values()) reject(error as Error);
    waiting.clear();
  };
  let gone = false;
  let ended = false;
  worker.on("error", fail);
  worker.on("message", (message: Message) => {
    if (message.died !== undefined) {
      gone = true;
      void worker.terminate();
      bury(message.died);
      for (const { settle } of waiting.values()) settle(new Died(options.name));
      waiting.clear();
      return;
    }
    const call = waiting.get(message.id ?? 0);
    waiting.delete(message.id ?? 0);
    if (message.error === undefined) call?.settle(message.value);
    else call?.fail(new Error(`${options.name}: ${message.error}`));
  });
  return {
    ask: (name, args) =>
      new Promise((settle, reject) => {
        if (ended) reject(new Error(`${options.name} was ended`));
        asked += 1;
        waiting.set(asked, { settle, fail: reject });
        worker.postMessage({ id: asked, name, args });
      }),
    isDead: () => gone,
    dead,
    async end() {
      ended = true;
      bury(null);
      fail(new Error(`${options.name} was ended`));
      await worker.terminate();
    },
  };
}
