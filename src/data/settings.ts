/** The operator's texts and the product's name. Saved by admins, asked at once and never queued. */
import { combineLatest, distinctUntilChanged, map, tap } from "rxjs";
import { STANDARD_LANGUAGE } from "@/domain/languages";
import { ok, type Result } from "@/domain/result";
import { toFailure } from "./engine/answers";
import type { Scope, Shared } from "./engine/context";
import type { Acts } from "./engine/enqueue";
import { loadedOf, rowOf, type Views } from "./engine/live";
import type { Noun } from "./engine/noun";
import { records } from "./engine/remote";
import {
  count,
  defineSchema,
  id,
  instantOf,
  type RawRecord,
  type RowOf,
  rowReader,
  rowWith,
  text,
} from "./engine/rows";
import type { SettingsView } from "./shapes";

const columns = {
  /** "terms", "privacy" or "app". */
  id: id(),
  content: text(),
  /** Milliseconds; 0 when never. */
  lastUpdated: count(),
  productName: text(),
  /** Code of the community's language, "" where the operator has set none. */
  defaultLanguage: text(),
  revision: count(),
  seq: count(),
};

type SettingsRow = RowOf<typeof columns>;

declare module "@/data/engine/noun" {
  interface CacheRows {
    settings: SettingsRow;
  }
}

const readSettings = rowReader<SettingsRow>(columns);

const settingsRow = (record: RawRecord): SettingsRow | null =>
  rowWith(readSettings(record, { lastUpdated: instantOf(record, "lastUpdated") }), "id");

export const settings: Noun = {
  collections: {
    settings: { schema: defineSchema<SettingsRow>(columns), read: settingsRow, holds: "all" },
  },
  kinds: [],
  emptyOverlay: () => ({}),
};

type TextId = "terms" | "privacy";

const PRODUCT_NAME = "Augenblick";

export function createSettingsReads({ shared, loaded, value }: Views) {
  const product = shared.deps.productName ?? PRODUCT_NAME;
  return {
    watchSettings: (id: TextId) =>
      loaded(`settings ${id}`, (scope) => watchSettings(shared, scope, id)),
    watchProductName: () =>
      value(
        "product",
        ({ replica }) =>
          rowOf<SettingsRow>(replica.settings.findOne("app")).pipe(
            map((row) => row?.productName || product),
          ),
        product,
      ),
    watchCommunityLanguage: () =>
      value(
        "community language",
        ({ replica }) =>
          rowOf<SettingsRow>(replica.settings.findOne("app")).pipe(
            // Until the row has come nothing is known; without a choice it is the standard one.
            map((row) => (row === null ? "" : row.defaultLanguage || STANDARD_LANGUAGE)),
          ),
        "",
      ),
  };
}

export const createSettingsWrites = ({ shared }: Acts) => ({
  /** Admins; asked at once. `revision` is the one that was read; a stale one is `conflict`. */
  async saveSettings(id: TextId, content: string, revision?: number): Promise<Result<null>> {
    const answer = await shared.remote.request(records("settings", id), {
      method: "PATCH",
      body: { content, ...(revision === undefined ? {} : { revision }) },
    });
    return answer.kind === "accepted" ? ok(null) : toFailure(answer);
  },
});

function watchSettings({ log }: Pick<Shared, "log">, scope: Scope, id: string) {
  const row$ = rowOf<SettingsRow>(scope.replica.settings.findOne(id));
  return combineLatest([row$, scope.status$]).pipe(
    map(([row, status]) => loadedOf(settingsView(row), row !== null, status)),
    distinctUntilChanged(
      (before, now) =>
        before.state === "failed" && now.state === "failed" && before.code === now.code,
    ),
    // Specification §8: nothing more is made of it.
    tap((now) => {
      if (now.state === "failed") log("Ignoring that a legal text could not be loaded", now.code);
    }),
  );
}

const settingsView = (row: SettingsRow | null): SettingsView => ({
  content: row?.content ?? "",
  lastUpdated: row?.lastUpdated || null,
});
