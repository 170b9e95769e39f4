/** The server of a chaos run with its people, and the triggers that write down what must never pass. */
import { cpSync, rmSync } from "node:fs";
import {
  createSuperuser,
  type PocketBase,
  type SignedIn,
  signUp,
  startPocketBase,
} from "@tests/support/pocketbase";
import { seedMedia } from "@tests/support/seed-media";
import { sql } from "@tests/support/sql";
import { type ChaosBucket, openBucket } from "./bucket";

export interface Person {
  id: string;
  email: string;
  username: string;
  password: string;
}

export interface World {
  server: PocketBase;
  superuser: SignedIn;
  /** Null where files are on the server's disk. */
  bucket: ChaosBucket | null;
  /** How often the server was killed. */
  kills(): number;
  kill(): Promise<void>;
  query(text: string): Promise<Record<string, unknown>[]>;
  /** A token of this person's from a sign-in of its own, past every proxy. */
  tokenOf(person: Person): Promise<string>;
  /** Opens protected files. */
  fileToken(): Promise<string>;
  /** Every token of this person's ends, and by `how`, in [0, 1), none, some or all sessions. */
  endTokens(person: Person, how: number): Promise<void>;
  banFromChats(person: Person, banned: boolean): Promise<void>;
  /** Whether the server may ever have refused this person's messages for that. */
  wasBanned(userId: string): boolean;
  makeAdmin(person: Person, admin: boolean): Promise<void>;
  /** Copies what the server has stored; it is killed for that, and started again. */
  backUp(): Promise<void>;
  /** Goes back to the last backup; with a bucket, on an empty machine, to what was streamed into it by a chosen time. */
  restore(): Promise<void>;
  /** Removes files that no row names, as an admin does in the panel. */
  cleanUp(): Promise<void>;
  /** Which history the server is in, since the last restore. */
  epoch(): string;
  /** What passed though something stood in its way, in every history. */
  trespasses(): Promise<string[]>;
  stop(): Promise<void>;
}

/** So much of what was done last may not be in the stream. */
const LAG_MS = 1000;

const LIMITS = {
  signupsPer10Min: 100_000,
  wrongLoginsPer5MinIp: 100_000,
  wrongLoginsPer5MinAccount: 100_000,
  signInsPerMinute: 100_000,
  streamsPerAddress: 1_000,
  writesPerMinute: 100_000,
  uploadsPerHour: 100_000,
  reportsPerHour: 100_000,
  openUploads: 1_000,
  guestWritesPer10Sec: 100_000,
  listsPer10Sec: 100_000,
  listRowsPer10Sec: 1_000_000,
  syncsPer10Sec: 100_000,
  requestsPer10Sec: 100_000,
  writesPer10Sec: 100_000,
};

/** In the moment in which a row is made: whether a block stands between its author and `other`. */
const blocked = (author: string, other: string): string =>
  `EXISTS (SELECT 1 FROM blocks WHERE blockedId != '' AND (
    (blockerId = ${author} AND blockedId = ${other})
    OR (blockerId = ${other} AND blockedId = ${author})))`;
const ownerOf = "(SELECT userId FROM media WHERE id = NEW.mediaId)";

const SESSIONS = "/api/account/sessions";

const TRESPASSES: [table: string, when: string][] = [
  ["likes", blocked("NEW.userId", ownerOf)],
  ["likes", blocked("NEW.userId", "(SELECT userId FROM comments WHERE id = NEW.commentId)")],
  ["comments", blocked("NEW.userId", ownerOf)],
  ["comments", blocked("NEW.userId", "(SELECT userId FROM comments WHERE id = NEW.parentId)")],
  ["follows", blocked("NEW.followerId", "NEW.followingId")],
  ["conversations", blocked("substr(NEW.id, 1, 15)", "substr(NEW.id, 17)")],
  ["messages", blocked("NEW.senderId", "NEW.recipientId")],
  ["messages", "(SELECT chatDisabled FROM users WHERE id = NEW.senderId)"],
  ["notifications", blocked("NEW.userId", "NEW.actorId")],
  ["audit", "EXISTS (SELECT 1 FROM users WHERE id = NEW.actor AND NOT isAdmin)"],
];

/**
 * Another device of the person's, which signs in past every proxy: it ends itself, and with that
 * all tokens of the account; or one more session before; or all others.
 */
async function endFromElsewhere(server: PocketBase, person: Person, how: number): Promise<void> {
  type Headers = Record<string, string>;
  const ask = async (method: string, path: string, headers: Headers, body?: object) => {
    const answer = await server.api(method, path, body, headers);
    return answer.status === 200 ? answer.body : null;
  };
  const { email, password } = person;
  const path = "/api/collections/users/auth-with-password";
  const here = await ask("POST", path, { "X-Session": "new" }, { identity: email, password });
  const { id, secret } = here.meta.session;
  const keys = (token: string) => ({ Authorization: token, "X-Session": `${id}.${secret}` });
  let { token } = here;
  if (how > 0.85) token = (await ask("POST", `${SESSIONS}/end`, keys(token))).token;
  if (how > 0.65 && how <= 0.85) {
    const { items } = await ask("GET", SESSIONS, keys(token));
    const other = items.find((one: { isThis: boolean }) => !one.isThis);
    if (other) token = (await ask("DELETE", `${SESSIONS}/${other.id}`, keys(token))).token;
  }
  await ask("DELETE", `${SESSIONS}/${id}`, keys(token));
}

/** Media that were there before anybody of the run: more than a device takes at once. They have no files. */
export const OLD_MEDIA = Array.from(
  { length: 16 },
  (_, at) => `old${String(at).padStart(12, "0")}`,
);

export interface WorldOptions {
  seed: number;
  /** Where the server has its files: on its disk, or in a bucket, with its databases streamed there too. Default: disk. */
  store?: "disk" | "s3";
  /** SQL that puts a fault into the server, before anybody comes. */
  mutation?: string;
}

export async function openWorld({ mutation, store, seed }: WorldOptions): Promise<World> {
  const bucket = store === "s3" ? await openBucket() : null;
  const server = await startPocketBase({ env: bucket?.env ?? {} });
  const superuser = await createSuperuser(server);
  const query = (text: string) => sql(server, superuser.token, text);
  const limits = await server.api(
    "PATCH",
    "/api/collections/settings/records/app",
    { limits: LIMITS },
    superuser.token,
  );
  if (limits.status !== 200) throw new Error(`limits: ${limits.status}`);
  await query(
    "CREATE TABLE chaos_trespass (n INTEGER PRIMARY KEY AUTOINCREMENT, tbl TEXT, id TEXT)",
  );
  for (const [n, [table, when]] of TRESPASSES.entries()) {
    await query(`CREATE TRIGGER chaos_trespass_${n} AFTER INSERT ON ${table} WHEN ${when}
      BEGIN INSERT INTO chaos_trespass (tbl, id) VALUES ('${table}', NEW.id); END`);
  }
  /** While the server is away nothing changes. */
  const change = async (userId: string, fields: object) => {
    const where = `/api/collections/users/records/${userId}`;
    await server.api("PATCH", where, fields, superuser.token).catch(() => undefined);
  };
  // The last admin stays one: with him, anybody else may be made one and unmade.
  const steward = await signUp(server, { username: "steward" });
  await change(steward.id, { isAdmin: true });
  const seeds = OLD_MEDIA.map((id, at) => ({ id, caption: id, age: at + 1 }));
  await seedMedia(server, superuser.token, steward.id, seeds);
  if (mutation !== undefined) await query(mutation);
  // Litestream makes tables of its own as it begins: nobody signs up in that moment.
  await bucket?.stream(server.dataDir);
  const backup = `${server.dataDir}-backup`;
  const readEpoch = async () => String((await query("SELECT epoch FROM _seq"))[0]?.["epoch"]);
  const readTrespasses = async () =>
    (await query("SELECT tbl, id FROM chaos_trespass ORDER BY n")).map(
      ({ tbl, id }) => `${tbl} ${id} passed what stood in its way`,
    );
  let epoch = await readEpoch();
  let earlier: string[] = [];
  const banned = new Set<string>();
  let kills = 0;
  const whileDead = async (job: () => void | Promise<void>) => {
    kills += 1;
    await server.kill();
    await job();
    await server.restart();
  };
  let backedUpAt = new Date();
  /** Every other seed loses the last second alone. */
  const restoreStream = async (from: ChaosBucket) => {
    const at = seed % 2 === 0 ? new Date(Date.now() - LAG_MS) : backedUpAt;
    await from.endStream();
    for (const folder of ["", "_uploads"])
      rmSync(server.dataDir + folder, { recursive: true, force: true });
    await from.restore(server.dataDir, at);
  };
  const tokenOf = async ({ email, password }: Pick<Person, "email" | "password">) => {
    const where = "/api/collections/users/auth-with-password";
    const { status, body } = await server.api("POST", where, { identity: email, password });
    if (status !== 200) throw new Error(`sign-in as ${email}: ${status}`);
    return body.token as string;
  };
  return {
    server,
    superuser,
    bucket,
    kills: () => kills,
    kill: () => whileDead(() => undefined),
    query,
    tokenOf,
    async fileToken() {
      const { body } = await server.api("POST", "/api/files/token", {}, superuser.token);
      return body.token;
    },
    endTokens: (person, how) =>
      how < 0.3
        ? change(person.id, { password: person.password, passwordConfirm: person.password })
        : endFromElsewhere(server, person, how).catch(() => undefined),
    async banFromChats({ id }, isBanned) {
      if (isBanned) banned.add(id);
      await change(id, { chatDisabled: isBanned });
    },
    wasBanned: (userId) => banned.has(userId),
    makeAdmin: ({ id }, admin) => change(id, { isAdmin: admin }),
    backUp: () =>
      whileDead(() => {
        backedUpAt = new Date();
        if (bucket !== null) return;
        rmSync(backup, { recursive: true, force: true });
        cpSync(server.dataDir, backup, { recursive: true });
      }),
    async restore() {
      earlier = [...earlier, ...(await readTrespasses())];
      await whileDead(async () => {
        if (bucket !== null) return restoreStream(bucket);
        rmSync(server.dataDir, { recursive: true, force: true });
        cpSync(backup, server.dataDir, { recursive: true });
      });
      epoch = await readEpoch();
    },
    epoch: () => epoch,
    trespasses: async () => [...new Set([...earlier, ...(await readTrespasses())])],
    async cleanUp() {
      bucket?.age();
      const token = await tokenOf(steward);
      for (let next: string | null = ""; next !== null; ) {
        const where: string = `/api/admin/cleanup/orphaned-files?after=${next}`;
        const { status, body } = await server.api("POST", where, undefined, token);
        if (status !== 200) throw new Error(`cleanup: ${status} ${JSON.stringify(body)}`);
        next = body.next;
      }
    },
    async stop() {
      await server.stop();
      await bucket?.close();
    },
  };
}
