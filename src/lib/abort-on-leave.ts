/**
 * WebKit keeps a page that is left, for Back, in the middle of its transactions, and every later
 * page waits for them for good. So they are aborted when such a page is left: a page that is
 * closed in that moment loses as much. If one comes back to it, it starts afresh.
 */
type Page = Pick<Window, "addEventListener">;

/** The same databases, whose transactions end with the page. `reload` starts the page afresh. */
export function abortOnLeave(factory: IDBFactory, page: Page, reload: () => void): IDBFactory {
  const running = new Set<IDBTransaction>();
  let aborted = false;
  page.addEventListener("pagehide", ({ persisted }) => {
    if (!persisted) return;
    for (const transaction of running) {
      try {
        transaction.abort();
        aborted = true;
      } catch {
        // Ignoring it: it is being committed, which needs nothing from this page.
      }
    }
  });
  page.addEventListener("pageshow", ({ persisted }) => persisted && aborted && reload());

  const follow = (database: IDBDatabase) => {
    const begin = database.transaction.bind(database);
    database.transaction = (...args) => {
      const transaction = begin(...args);
      running.add(transaction);
      const ended = () => running.delete(transaction);
      transaction.addEventListener("complete", ended);
      transaction.addEventListener("abort", ended);
      return transaction;
    };
  };
  return {
    open: (name, version) => {
      const request = version === undefined ? factory.open(name) : factory.open(name, version);
      request.addEventListener("success", () => follow(request.result));
      return request;
    },
    deleteDatabase: (name) => factory.deleteDatabase(name),
    // Missing in old browsers, which the callers ask about.
    ...("databases" in factory && { databases: () => factory.databases() }),
    cmp: (first, second) => factory.cmp(first, second),
  } as IDBFactory;
}
