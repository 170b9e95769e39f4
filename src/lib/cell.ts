/** A value that can be watched: what `useSyncExternalStore` takes, and a setter for its owner. */
export interface Cell<T> {
  subscribe: (onChange: () => void) => () => void;
  getSnapshot: () => T;
  /** Notifies the watchers only when the value changes. */
  set: (value: T) => void;
}

export function createCell<T>(initial: T): Cell<T> {
  const watchers = new Set<() => void>();
  let current = initial;
  return {
    subscribe(onChange) {
      watchers.add(onChange);
      return () => watchers.delete(onChange);
    },
    getSnapshot: () => current,
    set(value) {
      if (Object.is(value, current)) return;
      current = value;
      for (const watcher of [...watchers]) watcher();
    },
  };
}
