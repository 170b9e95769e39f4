/**
 * The S3 store of a run whose server keeps nothing on its own disk: a bucket for files, behind a bad way of its own, and
 * another one into which Litestream streams the databases.
 */
import { findLitestream, keepStreaming, readReplica } from "@scripts/replica.mjs";
import { type Exchange, startFaultProxy } from "@tests/support/fault-proxy";
import { REPLICA_BUCKET, startS3 } from "@tests/support/s3";
import { startScript } from "@tests/support/start-script";
import { storeFaultPlan } from "./fault-plan";

export interface ChaosBucket {
  /** Of the server that uses it. */
  env: Record<string, string>;
  /** What met each request of the server's. */
  seen: readonly Exchange[];
  /** From now on they meet what the plan of this seed says. */
  misbehave(seed: number): void;
  heal(): void;
  /** `<record>/<name>` of every file, sorted. */
  names(): string[];
  /** Makes every file old enough for the cleanup. */
  age(): void;
  /** Streams the databases of this folder away. */
  stream(dataDir: string): Promise<void>;
  endStream(): Promise<void>;
  /** Brings them into this folder, which must not be there, as they stood at `at`. */
  restore(dataDir: string, at: Date): Promise<void>;
  close(): Promise<void>;
}

const REPLICA = `s3://${REPLICA_BUCKET}/chaos`;
/** The cleanup leaves alone what changed in the last hour. */
const OLD_HOURS = 3;

export async function openBucket(): Promise<ChaosBucket> {
  const store = await startS3();
  const proxy = await startFaultProxy({ target: store.url });
  const env = store.env(proxy.url);
  const streamEnv = store.env();
  const ending = new AbortController();
  let streaming: Promise<void> = Promise.resolve();
  const endStream = async () => {
    ending.abort();
    await streaming;
  };
  return {
    env,
    seen: proxy.seen,
    misbehave(seed) {
      proxy.decide = storeFaultPlan(seed);
    },
    heal: proxy.heal,
    names: () =>
      store
        .keys()
        .map((key) => key.split("/").slice(1).join("/"))
        .sort(),
    age: () => store.age(OLD_HOURS),
    async stream(dataDir) {
      const replica = readReplica(REPLICA, streamEnv);
      const binary = await findLitestream();
      streaming = keepStreaming({ replica, binary, dataDir, signal: ending.signal });
    },
    endStream,
    async restore(dataDir, at) {
      const args = ["--from", REPLICA, "--at", at.toISOString()];
      const { code, err } = await startScript("restore.mjs", args, {
        ...streamEnv,
        DATA_DIR: dataDir,
      }).ended;
      if (code !== 0) throw new Error(`restore from the stream: ${err}`);
    },
    async close() {
      await endStream();
      await proxy.close();
      await store.close();
    },
  };
}
