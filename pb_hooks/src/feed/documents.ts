/**
 * Rows as the record API would write them, but turned into JSON by SQLite itself. Building a record
 * from each row, and JSON from each record, took most of the feed's time.
 */

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

type Binds = Record<string, string | number>;

function readList(app: CoreApp, query: string, binds: Binds): string {
  const row = new DynamicModel({ list: "" }) as unknown as { list: string };
  app.db().newQuery(query).bind(binds).one(row);
  return `[${row.list}]`;
}

/** The rows of `name` that meet the SQL condition `where`, as JSON text, in the order of `seq`. */
export function readDocuments(app: CoreApp, name: string, where: string, binds: Binds): string {
  const document = documentOf(app.findCachedCollectionByNameOrId(name));
  const query = `SELECT COALESCE(group_concat(${document}, ',' ORDER BY seq), '') AS list
    FROM ${name} WHERE ${where}`;
  return readList(app, query, binds);
}

/** The rows with these ids as JSON text, in the order of `ids`; missing rows are left out. */
export function readDocumentsById(app: CoreApp, name: string, ids: readonly string[]): string {
  if (ids.length === 0) return "[]";
  const document = documentOf(app.findCachedCollectionByNameOrId(name));
  const query = `WITH picked AS (SELECT key AS picked_place, value AS picked_id FROM json_each({:ids}))
    SELECT COALESCE(group_concat(${document}, ',' ORDER BY picked_place), '') AS list
    FROM picked JOIN ${name} ON ${name}.id = picked_id`;
  return readList(app, query, { ids: JSON.stringify(ids) });
}
