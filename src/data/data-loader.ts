/** The specification's default data loader (§7): GET the path that a query's key begins with. */
export type QueryKey = readonly [path: string, ...rest: unknown[]];

export interface DataLoaderDeps {
  fetch: typeof globalThis.fetch;
  address: (path: string) => string;
  token: () => string;
}

export interface LoadOptions {
  /** What a 401 becomes: an error like any other, or null. */
  on401: "throw" | "null";
}

/** Throws an `Error` whose text is `{status}: {body}`, or the status text where the body is empty. */
export async function loadData(
  deps: DataLoaderDeps,
  [path]: QueryKey,
  { on401 }: LoadOptions,
): Promise<unknown> {
  const token = deps.token();
  const headers: Record<string, string> = token === "" ? {} : { Authorization: token };
  const response = await deps.fetch(deps.address(path), { credentials: "include", headers });
  if (response.status === 401 && on401 === "null") return null;
  if (!response.ok) {
    const body = await response.text();
    throw new Error(`${response.status}: ${body || response.statusText}`);
  }
  return (await response.json()) as unknown;
}
