/**
 * Deletes the IndexedDB databases whose name begins with `prefix` and whose last part `matches`. Where the
 * browser cannot list databases nothing happens.
 */
export async function deleteDatabases(
  indexedDB: IDBFactory,
  prefix: string,
  matches: (lastPart: string, name: string) => boolean,
): Promise<void> {
  if (!("databases" in indexedDB)) return;
  const found = await indexedDB.databases();
  const names = found.flatMap(({ name }) => (name?.startsWith(prefix) ? [name] : []));
  const going = names.filter((name) => matches(name.slice(name.lastIndexOf("--") + 2), name));
  await Promise.all(going.map((name) => deleteDatabase(indexedDB, name)));
}

export function deleteDatabase(indexedDB: IDBFactory, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
    // Another tab still holds it open. The browser deletes it when that tab lets go.
    request.onblocked = () => resolve();
  });
}
