/** An object whose methods all answer promises, loaded when the first of them is called. */
type Methods<T> = { [Name in keyof T]: (...args: never[]) => Promise<unknown> };

/** A load that failed is tried again at the next call. `onFail` gives the answer for it. */
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
  // A promise's `then` is asked of everything that is awaited.
  const get = (_: object, name: string | symbol) =>
    name === "then" ? undefined : call(name as keyof T);
  return new Proxy({}, { get }) as T;
}
