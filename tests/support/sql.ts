/** SQL on a running server, through the superuser's own console route: for seeding, and for looking past the API. */
import type { PocketBase } from "@tests/support/pocketbase";

/** Runs one statement; answers the rows of a SELECT as objects. Numbers come as text. */
export async function sql(
  server: PocketBase,
  token: string,
  query: string,
): Promise<Record<string, unknown>[]> {
  const { status, body } = await server.api("POST", "/api/sql", { query }, token);
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)} for ${query}`);
  const columns = body.columns as { name: string }[];
  return (body.rows as unknown[][]).map((row) =>
    Object.fromEntries(row.map((value, i) => [columns[i]?.name ?? String(i), value])),
  );
}
