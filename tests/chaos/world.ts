/** The server of a chaos run with its people, and the triggers that write down what must never pass. */
import { cpSync, rmSync } from "node:fs";
import {
  createSuperuser,
  type PocketBase,
  type SignedIn,
  signUp,
  startPocketBase,
} from "@tests/support/pocketbase";
import { sql } from "@tests/support/sql";

export interface Person {
  id: string;
  email: string;
  username: string;
  password: string;
}

export interface World {
  server: PocketBase;
  superuser: SignedIn;
  query(text: string): Promise<Record<string, unknown>[]>;
  /** A token of this person's from a sign-in of its own, past every proxy. */
  tokenOf(person: Person): Promise<string>;
  /** Opens protected files. */
  fileToken(): Promise<string>;
  /** Every token of this person's ends; the password stays. */
  endTokens(person: Person): Promise<void>;
  banFromChats(person: Person, banned: boolean): Promise<void>;
  /** Whether the server may ever have refused this person's messages for that. */
  wasBanned(userId: string): boolean;
  makeAdmin(person: Person, admin: boolean): Promise<void>;
  /** Copies what the server has stored; it is killed for that, and started again. */
  backUp(): Promise<void>;
  /** Goes back to the last backup. */
  restore(): Promise<void>;
  /** Which history the server is in, since the last restore. */
  epoch(): string;
  /** What passed though something stood in its way, in every history. */
  trespasses(): Promise<string[]>;
  stop(): Promise<void>;
}

const LIMITS = {
  signupsPer10Min: 100_000,
  wrongLoginsPer5MinIp: 100_000,
  wrongLoginsPer5MinAccount: 100_000,
  writesPerMinute: 100_000,
  uploadsPerHour: 100_000,
  reportsPerHour: 100_000,
  openUploads: 1_000,
};

/** In the moment in which a row is made: whether a block stands between its author and `other`. */
const blocked = (author: string, other: string): string =>
  `EXISTS (SELECT 1 FROM blocks WHERE (blockerId = ${author} AND blockedId = ${other})
    OR (blockerId = ${other} AND blockedId = ${author}))`;
const ownerOf = "(SELECT userId FROM media WHERE id = NEW.mediaId)";

const TRESPASSES: [table: string, when: string][] = [
  ["likes", blocked("NEW.userId", ownerOf)],
  ["comments", blocked("NEW.userId", ownerOf)],
  ["follows", blocked("NEW.followerId", "NEW.followingId")],
  ["conversations", blocked("substr(NEW.id, 1, 15)", "substr(NEW.id, 17)")],
  ["messages", blocked("NEW.senderId", "NEW.recipientId")],
  ["messages", "(SELECT chatDisabled FROM users WHERE id = NEW.senderId)"],
  ["audit", "EXISTS (SELECT 1 FROM users WHERE id = NEW.actor AND NOT isAdmin)"],
];

/** `mutation` is run on the database before anybody comes. */
export async function openWorld(mutation?: string): Promise<World> {
  const server = await startPocketBase();
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
  if (mutation !== undefined) await query(mutation);
  const backup = `${server.dataDir}-backup`;
  const readEpoch = async () => String((await query("SELECT epoch FROM _seq"))[0]?.["epoch"]);
  const readTrespasses = async () =>
    (await query("SELECT tbl, id FROM chaos_trespass ORDER BY n")).map(
      ({ tbl, id }) => `${tbl} ${id} passed what stood in its way`,
    );
  let epoch = await readEpoch();
  let earlier: string[] = [];
  const banned = new Set<string>();
  const whileDead = async (job: () => void) => {
    await server.kill();
    job();
    await server.restart();
  };
  return {
    server,
    superuser,
    query,
    async tokenOf({ email, password }) {
      const where = "/api/collections/users/auth-with-password";
      const { status, body } = await server.api("POST", where, { identity: email, password });
      if (status !== 200) throw new Error(`sign-in as ${email}: ${status}`);
      return body.token;
    },
    async fileToken() {
      const { body } = await server.api("POST", "/api/files/token", {}, superuser.token);
      return body.token;
    },
    endTokens: ({ id, password }) => change(id, { password, passwordConfirm: password }),
    async banFromChats({ id }, isBanned) {
      if (isBanned) banned.add(id);
      await change(id, { chatDisabled: isBanned });
    },
    wasBanned: (userId) => banned.has(userId),
    makeAdmin: ({ id }, admin) => change(id, { isAdmin: admin }),
    backUp: () =>
      whileDead(() => {
        rmSync(backup, { recursive: true, force: true });
        cpSync(server.dataDir, backup, { recursive: true });
      }),
    async restore() {
      earlier = [...earlier, ...(await readTrespasses())];
      await whileDead(() => {
        rmSync(server.dataDir, { recursive: true, force: true });
        cpSync(backup, server.dataDir, { recursive: true });
      });
      epoch = await readEpoch();
    },
    epoch: () => epoch,
    trespasses: async () => [...new Set([...earlier, ...(await readTrespasses())])],
    stop: () => server.stop(),
  };
}
