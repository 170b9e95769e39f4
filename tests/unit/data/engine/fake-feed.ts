/** A server's change feed by the rules of the contract: one order, tombstones, an epoch. For faults alone. */
import type { Answer } from "@/data/engine/answers";
import type { Remote, RequestOptions } from "@/data/engine/remote";
import { markOf, readWindow } from "@/domain/feed-window";

/** PocketBase's answer about a collection that it does not know. */
const MISSING: Answer = {
  kind: "refusal",
  status: 404,
  code: null,
  message: "Missing or invalid collection context.",
  fields: {},
};

type Row = { id: string; seq: number } & Record<string, unknown>;

export class FakeFeed {
  epoch = "one";
  seq = 0;
  readonly rows = new Map<string, Row[]>();
  readonly tombs: { collection: string; id: string; seq: number }[] = [];
  /** Collections that a server of an earlier version does not have. */
  readonly absent = new Set<string>();
  /** What every request is answered instead. */
  fault: Answer | null = null;
  /** Runs before each answer. */
  before: (path: string) => void = () => {};

  put(collection: string, id: string, fields: Record<string, unknown> = {}): void {
    this.seq += 1;
    const others = (this.rows.get(collection) ?? []).filter((row) => row.id !== id);
    this.rows.set(collection, [...others, { ...fields, id, seq: this.seq }]);
    const dead = this.tombs.findIndex((tomb) => tomb.collection === collection && tomb.id === id);
    if (dead >= 0) this.tombs.splice(dead, 1);
  }

  photo(id: string, fields: Record<string, unknown> = {}): void {
    const createdAt = 1_700_000_000_000 + this.seq * 1000;
    this.put("media", id, { userId: "u", file: `${id}.jpg`, type: "photo", createdAt, ...fields });
  }

  remove(collection: string, id: string): void {
    this.seq += 1;
    this.rows.set(
      collection,
      (this.rows.get(collection) ?? []).filter((row) => row.id !== id),
    );
    this.tombs.push({ collection, id, seq: this.seq });
  }

  readonly remote = {
    address: (path: string) => path,
    request: async (path: string, options: RequestOptions = {}): Promise<Answer> => {
      this.before(path);
      if (this.fault !== null) return this.fault;
      const { query = {} } = options;
      if (path === "/api/sync") return this.page(query);
      const [, collection = ""] = /^\/api\/collections\/(\w+)\/records$/.exec(path) ?? [];
      if (this.absent.has(collection)) return MISSING;
      const items = (this.rows.get(collection) ?? []).filter(matching(query["filter"]));
      return accepted({ items: [...items].reverse() });
    },
  } as unknown as Remote;

  private page(query: Record<string, unknown>): Answer {
    const { epoch, seq: checkpoint } = this;
    if (query["since"] === "head") return accepted({ epoch, checkpoint });
    const since = Number(query["since"]);
    if (query["epoch"] !== epoch || since > checkpoint) {
      return accepted({ epoch, checkpoint, more: false, reset: true, changes: {} });
    }
    const names = [...new Set([...this.rows.keys(), ...this.tombs.map((tomb) => tomb.collection)])];
    const changes = names.map((name) => [
      name,
      {
        documents: (this.rows.get(name) ?? [])
          .filter((row) => row.seq > since)
          .filter((row) => name !== "media" || isWanted(query, row))
          .filter((row) => name !== "comments" || this.isAboutWanted(query, row)),
        deleted: this.tombs
          .filter((tomb) => tomb.collection === name && tomb.seq > since)
          .map((tomb) => tomb.id),
      },
    ]);
    return accepted({ epoch, checkpoint, more: false, changes: Object.fromEntries(changes) });
  }

  private isAboutWanted(query: Record<string, unknown>, comment: Row): boolean {
    if (query["comments"] !== "held" || comment["userId"] === ME) return true;
    const medium = this.rows.get("media")?.find(({ id }) => id === comment["mediaId"]);
    return medium !== undefined && isWanted(query, medium);
  }
}

/** Who asks. */
const ME = "me0000000000000";

function isWanted(query: Record<string, unknown>, row: Row): boolean {
  const text = (name: string) => String(query[name] ?? "");
  const window = readWindow({ from: text("mediaFrom"), marks: text("mediaMarks") });
  if (window === null) throw new Error("The window means nothing");
  if (window === "all" || row["userId"] === ME) return true;
  return Number(row["createdAt"]) >= window.from || window.marks.includes(markOf(row.id));
}

/** Of all filters only those by id and by medium are understood; the others find nothing. */
const matching = (filter: unknown) => {
  const known: string[] = String(filter).match(/(?<=^| )(id|mediaId) = \S+/g) ?? [];
  return ({ id, mediaId }: Row): boolean =>
    filter === undefined ||
    known.includes(`id = "${id}"`) ||
    known.includes(`mediaId = "${mediaId}"`);
};

const accepted = (body: unknown): Answer => ({
  kind: "accepted",
  status: 200,
  body: JSON.parse(JSON.stringify(body)),
});
