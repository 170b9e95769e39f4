/**
 * Rows as the record API would write them, but written to JSON by SQLite itself: making a record of each row, and JSON
 * of each record, took most of the feed's time.
 */
import { rowsCondition, type Source } from "./sync-sources";

/** The SQL for the JSON value of one field, by PocketBase's field type. */
function jsonOf(field: core.Field): string {
  const column = `[[${field.getName()}]]`;
  switch (field.type()) {
    case "bool":
      return `json(iif(${column}, 'true', 'false'))`;
    case "json":
    case "geoPoint":
      return `json(COALESCE(NULLIF(${column}, ''), 'null'))`;
    case "select":
    case "relation":
    case "file": {
      const { isMultiple } = field as unknown as { isMultiple: () => boolean };
      return isMultiple() ? `json(COALESCE(NULLIF(${column}, ''), '[]'))` : column;
    }
    default:
      return column;
  }
}

/** SQL for one row of `collection` as a JSON object. */
function documentOf(collection: core.Collection): string {
  const parts = [`'collectionId', '${collection.id}'`, `'collectionName', '${collection.name}'`];
  for (const field of collection.fields) {
    if (field && !field.getHidden()) parts.push(`'${field.getName()}', ${jsonOf(field)}`);
  }
  return `json_object(${parts.join(", ")})`;
}

/** The rows of `source` in the range as the text of a JSON list, in the order of `seq`. */
export function readDocuments(
  app: CoreApp,
  source: Source,
  range: Record<string, string | number>,
): string {
  const collection = app.findCachedCollectionByNameOrId(source.collection);
  const row = new DynamicModel({ list: "" }) as unknown as { list: string };
  app
    .db()
    .newQuery(
      `SELECT COALESCE(group_concat(${documentOf(collection)}, ',' ORDER BY seq), '') AS list
       FROM ${source.collection} WHERE ${rowsCondition(source)}`,
    )
    .bind(range)
    .one(row);
  return `[${row.list}]`;
}

/** The rows with these ids as the text of a JSON list, in the order of `ids`; those that are not there are left out. */
export function readDocumentsById(app: CoreApp, name: string, ids: readonly string[]): string {
  if (ids.length === 0) return "[]";
  const collection = app.findCachedCollectionByNameOrId(name);
  const row = new DynamicModel({ list: "" }) as unknown as { list: string };
  app
    .db()
    .newQuery(
      `WITH picked AS (SELECT key AS picked_place, value AS picked_id FROM json_each({:ids}))
       SELECT COALESCE(group_concat(${documentOf(collection)}, ',' ORDER BY picked_place), '') AS list
       FROM picked JOIN ${name} ON ${name}.id = picked_id`,
    )
    .bind({ ids: JSON.stringify(ids) })
    .one(row);
  return `[${row.list}]`;
}
