/**
 * A server with people on it, and short words for what the rule tests do: visitor, ann (who owns things), bob (a stranger
 * to them), an admin and a superuser. Rows that only uploads make are put there by the superuser.
 */
import { copyFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { inRoot } from "@scripts/checkout.mjs";
import {
  type Answer,
  createSuperuser,
  type PocketBase,
  RATES,
  type SignedIn,
  type StartOptions,
  signUp,
  startPocketBase,
  temporaryFolder,
} from "@tests/support/pocketbase";

export interface Stage {
  server: PocketBase;
  superuser: SignedIn;
  admin: SignedIn;
  ann: SignedIn;
  bob: SignedIn;
  create(collection: string, body: unknown, who?: SignedIn): Promise<Answer>;
  update(collection: string, id: string, body: unknown, who?: SignedIn): Promise<Answer>;
  remove(collection: string, id: string, who?: SignedIn): Promise<Answer>;
  view(collection: string, id: string, who?: SignedIn): Promise<Answer>;
  /** The list's rows; `query` without its question mark. */
  list(collection: string, query?: string, who?: SignedIn): Promise<Answer>;
  /** A row as the database has it. */
  row(collection: string, id: string): Promise<Record<string, unknown>>;
  /** What the dashboard's console runs; the rows as lists. */
  sql(query: string): Promise<{ status: number; rows: unknown[][] }>;
  /** One number out of the database; throws where the query fails or gives none. */
  number(query: string): Promise<number>;
  /** How far the feed is. */
  head(): Promise<number>;
  media(owner: SignedIn, more?: Record<string, unknown>): Promise<string>;
  message(from: SignedIn, to: SignedIn, text?: string): Promise<string>;
  conversation(a: SignedIn, b: SignedIn): Promise<string>;
}

const records = (collection: string) => `/api/collections/${collection}/records`;

/** Throws unless the answer is a success: for what a test needs and does not test. */
export function must(answer: Answer): Answer {
  if (answer.status < 300) return answer;
  throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
}

/** "200 undefined", "404 gone": for what is refused, mostly. */
export async function codeOf(answer: Promise<Answer>): Promise<string> {
  const { status, body } = await answer;
  return `${status} ${body.code}`;
}

export const conversationIdOf = (a: SignedIn, b: SignedIn): string => [a.id, b.id].sort().join("_");

/** Another sign-in of the same person: a fresh token and record. */
export async function signInAgain(server: PocketBase, who: SignedIn): Promise<SignedIn> {
  const { body } = must(
    await server.api("POST", "/api/collections/users/auth-with-password", {
      identity: who.email,
      password: who.password,
    }),
  );
  return { ...who, token: body.token, record: body.record };
}

/** High enough that no test meets a limit that it does not test. */
const RAISED = {
  ...RATES,
  signupsPer10Min: 10_000,
  writesPerMinute: 100_000,
  reportsPerHour: 10_000,
  viewsPerHour: 10_000,
  guestWritesPer10Sec: 10_000,
};

/** Answers the superuser who has done so. */
export async function raiseLimits(server: PocketBase, limits: Record<string, number> = RAISED) {
  const superuser = await createSuperuser(server);
  must(await server.api("PATCH", `${records("settings")}/app`, { limits }, superuser.token));
  return superuser;
}

/** `limits` is what the operator set; pass `{}` for the defaults. */
export async function setStage(
  options: StartOptions & { limits?: Record<string, number> } = {},
): Promise<Stage> {
  const { limits = RAISED, ...start } = options;
  const server = await startPocketBase(start);
  const superuser = await raiseLimits(server, limits);
  const [admin, ann, bob] = await Promise.all([signUp(server), signUp(server), signUp(server)]);
  const stage: Stage = {
    server,
    superuser,
    admin,
    ann,
    bob,
    create: (collection, body, who) => server.api("POST", records(collection), body, who?.token),
    update: (collection, id, body, who) =>
      server.api("PATCH", `${records(collection)}/${id}`, body, who?.token),
    remove: (collection, id, who) =>
      server.api("DELETE", `${records(collection)}/${id}`, undefined, who?.token),
    view: (collection, id, who) =>
      server.api("GET", `${records(collection)}/${id}`, undefined, who?.token),
    list: (collection, query = "", who) =>
      server.api("GET", `${records(collection)}?${query}`, undefined, who?.token),
    row: async (collection, id) => must(await stage.view(collection, id, superuser)).body,
    sql: async (query) => {
      const { status, body } = await server.api("POST", "/api/sql", { query }, superuser.token);
      return { status, rows: body.rows ?? [] };
    },
    number: async (query) => {
      const body = must(await server.api("POST", "/api/sql", { query }, superuser.token)).body;
      const value: unknown = body.rows?.[0]?.[0];
      if (value === undefined || value === null || Number.isNaN(Number(value))) {
        throw new Error(`no number: ${query} gave ${JSON.stringify(body)}`);
      }
      return Number(value);
    },
    head: async () => (await server.api("GET", "/api/sync?since=head")).body.checkpoint,
    media: async (owner, more = {}) => {
      const body = {
        userId: owner.id,
        type: "photo",
        caption: "A picture",
        tags: ["one"],
        ...more,
      };
      return must(await stage.create("media", body, superuser)).body.id;
    },
    conversation: async (a, b) =>
      must(await stage.create("conversations", { participants: [a.id, b.id] }, a)).body.id,
    message: async (from, to, text = "Hello") => {
      const body = { conversationId: conversationIdOf(from, to), senderId: from.id, message: text };
      return must(await stage.create("messages", body, from)).body.id;
    },
  };
  must(await stage.update("users", admin.id, { isAdmin: true }, superuser));
  return stage;
}

/** A server's flags for the migrations that come before the one of this name. */
export function migrationsBefore(migration: string): string[] {
  const folder = temporaryFolder();
  for (const name of readdirSync(inRoot("pb_migrations"))) {
    if (name < migration) copyFileSync(inRoot(`pb_migrations/${name}`), path.join(folder, name));
  }
  return [`--migrationsDir=${folder}`];
}
