type Methods<T> = { [Name in keyof T]: (...args: never[]) => Promise<unknown> };

/** Loads an object of async methods at the first call; a failed load returns `onFail`. */
export function loadWhenUsed<T extends Methods<T>>(
  load: () => Promise<T>,
  onFail: (error: unknown) => unknown,
): T {
  let loaded: Promise<T> | null = null;
  const call =
    (name: keyof T) =>
    async (...args: never[]) => {
      loaded ??= load();
      try {
        await loaded;
      } catch (error) {
        loaded = null;
        return onFail(error);
      }
      return (await loaded)[name](...args);
    };
  // `await` looks for a `then` on every value.
  const get = (_: object, name: string | symbol) =>
    name === "then" ? undefined : call(name as keyof T);
  return new Proxy({}, { get }) as T;
}
