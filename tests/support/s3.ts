/** A real S3 API on loopback with empty buckets, and the environment that names it. */
import { readdirSync, readFileSync, utimesSync } from "node:fs";
import path from "node:path";
import { temporaryFolder } from "@tests/support/pocketbase";
import S3rver from "s3rver";

export interface S3Store {
  url: string;
  /** For a server at `url`, which may be a proxy's. */
  env(url?: string): Record<string, string>;
  /** The names of all files, sorted. */
  keys(): string[];
  bytes(key: string): Buffer;
  /** Makes every object look as if it had been stored so long ago. */
  age(hours: number): void;
  close(): Promise<void>;
}

const BUCKET = "pictures";
/** For streams of databases. */
export const REPLICA_BUCKET = "replicas";
const KEY = "S3RVER";
/** s3rver keeps three files for an object. */
const OBJECT = "._S3rver_object";

/** Left alone, s3rver does not list a folder that holds nothing but folders. */
function listFolders({ store }: S3rver): void {
  const listAll = store.listObjects.bind(store);
  store.listObjects = async (bucket, { delimiter, prefix = "", ...options }) => {
    const listed = await listAll(bucket, { ...options, prefix });
    if (!delimiter) return listed;
    const endOf = ({ key }: { key: string }) => key.indexOf(delimiter, prefix.length);
    const deeper = listed.objects.filter((object) => endOf(object) >= 0);
    const folders = new Set(deeper.map((object) => object.key.slice(0, endOf(object) + 1)));
    const objects = listed.objects.filter((object) => endOf(object) < 0);
    return { ...listed, objects, commonPrefixes: [...folders].sort() };
  };
}

export async function startS3(): Promise<S3Store> {
  const directory = temporaryFolder();
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory,
    // A proxy in front of it has another port, and the name of the host is signed.
    allowMismatchedSignatures: true,
    configureBuckets: [{ name: BUCKET }, { name: REPLICA_BUCKET }],
  });
  listFolders(server);
  const { port } = await server.run();
  const url = `http://127.0.0.1:${port}`;
  const root = path.join(directory, BUCKET);
  const keys = () =>
    readdirSync(root, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(OBJECT))
      .map((name) => name.slice(0, -OBJECT.length))
      .sort();
  const fileOf = (key: string) => path.join(root, key + OBJECT);
  return {
    url,
    env: (endpoint = url) => ({
      S3_ENDPOINT: endpoint,
      S3_BUCKET: BUCKET,
      S3_ACCESS_KEY: KEY,
      S3_SECRET: KEY,
      S3_FORCE_PATH_STYLE: "true",
    }),
    keys,
    bytes: (key) => readFileSync(fileOf(key)),
    age(hours) {
      const then = new Date(Date.now() - hours * 3_600_000);
      for (const key of keys()) utimesSync(fileOf(key), then, then);
    },
    close: () => server.close(),
  };
}
