/** Building blocks of row types: RxDB schemas, and reading a server's record field by field. */
import type { ExtractDocumentTypeFromTypedRxJsonSchema, RxJsonSchema } from "rxdb";
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

export type RowOf<Properties> = ExtractDocumentTypeFromTypedRxJsonSchema<{
  type: "object";
  properties: Properties;
  required: (keyof Properties & string)[];
}>;

/** RxDB's schema of rows in which every property is required, so that a row has one shape. */
export function defineSchema<Row extends { id: string }>(
  properties: { [Name in keyof Row]: object },
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
    // RxDB's own types cannot follow a generic row.
  } as unknown as RxJsonSchema<Row>;
}

export type RawRecord = Record<string, unknown>;

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

const READERS: Record<string, (record: RawRecord, name: string) => unknown> = {
  string: (record, name) => textOf(record, name),
  number: countOf,
  boolean: (record, name) => record[name] === true,
};

/**
 * Completes what is `given` of a row with the other columns, read by their names and types. It is
 * prepared once for all rows and copies none, because thousands come at once.
 */
export function rowReader<Row extends object>(columns: { [Name in keyof Row]: { type: string } }) {
  const entries = Object.entries<{ type: string }>(columns);
  const readers = entries.map(([name, { type }]) => ({ name, read: READERS[type] }));
  return (record: RawRecord, given: Partial<Row>): Row => {
    const row = given as Record<string, unknown>;
    for (const { name, read } of readers) {
      if (row[name] === undefined) row[name] = read?.(record, name);
    }
    return row as Row;
  };
}

/** Null where a field is "" without which the row means nothing. */
export const rowWith = <Row extends object>(row: Row, ...needed: (keyof Row)[]): Row | null =>
  needed.some((name) => row[name] === "") ? null : row;

export const pairColumns = { id: id(), createdAt: count(), seq: count() };

/** Reads a like, follow or block: rows that join two identities. */
export function pairReader<Row extends { createdAt: number }>(
  columns: {
    [Name in keyof Row]: { type: string };
  },
) {
  const read = rowReader<Row>(columns);
  return (record: RawRecord): Row =>
    read(record, { createdAt: instantOf(record, "createdAt") } as Partial<Row>);
}
