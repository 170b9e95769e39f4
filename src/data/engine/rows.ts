/** Building blocks of the RxDB schemas. Every field is required, so that a row has one shape. */
import type { RxJsonSchema } from "rxdb";
import { parseInstant } from "@/domain/times";

/** Larger than any instant in milliseconds: newest first is an ascending index on `NEWEST - at`. */
const NEWEST = 9_999_999_999_999;

export const text = (maxLength = 100_000) => ({ type: "string", maxLength }) as const;
export const id = () => text(40);
export const count = () => ({ type: "number" }) as const;
export const flag = () => ({ type: "boolean" }) as const;
export const list = () => ({ type: "array", items: { type: "string" } }) as const;
export const anything = () => ({ type: "object", additionalProperties: true }) as const;
/** A whole number that an index may hold. */
export const order = () =>
  ({ type: "number", minimum: 0, maximum: NEWEST, multipleOf: 1 }) as const;

type Property =
  | ReturnType<typeof text>
  | ReturnType<typeof count>
  | ReturnType<typeof flag>
  | ReturnType<typeof list>
  | ReturnType<typeof anything>
  | ReturnType<typeof order>;

export function defineSchema<Row extends { id: string }>(
  properties: Record<keyof Row & string, Property>,
  indexes: (keyof Row & string)[][] = [],
  version = 0,
): RxJsonSchema<Row> {
  return {
    version,
    type: "object",
    primaryKey: "id",
    properties,
    required: Object.keys(properties),
    indexes,
    // The row types are checked where rows are made: RxDB's own types cannot follow a generic row.
  } as unknown as RxJsonSchema<Row>;
}

/** A server's record, before anything is known about its fields. */
export type RawRecord = Record<string, unknown>;

/** What every row of the replica has. */
export interface ReplicaRow {
  id: string;
  /** The server's order of changes. */
  seq: number;
}

/** Sort key of an instant in milliseconds, newest first. */
export const newestFirst = (at: number): number => NEWEST - at;

/** The first of `names` that holds a non-empty text. */
export function textOf(record: RawRecord, ...names: string[]): string {
  for (const name of names) {
    const value = record[name];
    if (typeof value === "string" && value !== "") return value;
  }
  return "";
}

export function countOf(record: RawRecord, name: string): number {
  const value = record[name];
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

/** Milliseconds of the first of `names` that holds an instant; 0 when none does. */
export function instantOf(record: RawRecord, ...names: string[]): number {
  for (const name of names) {
    const at = parseInstant(record[name]);
    if (at > 0) return at;
  }
  return 0;
}

/** Path of a stored file, or "" for no name; an older record's whole address stays as it is. */
export function filePath(collection: string, recordId: string, name: string): string {
  if (name === "" || /^(https?:\/\/|\/)/.test(name)) return name;
  return `/api/files/${collection}/${recordId}/${encodeURIComponent(name)}`;
}
