/** Lets the pictures that somebody looks at go first over a slow line. */

/** Resolves when those that are on their way have come or failed, at the latest after `patienceMs`. */
export async function picturesLoaded(
  pictures: Iterable<HTMLImageElement>,
  patienceMs: number,
): Promise<void> {
  const awaited = [...pictures].filter(({ complete, loading }) => !complete && loading !== "lazy");
  const over = awaited.map(
    (picture) =>
      new Promise((resolve) => {
        picture.addEventListener("load", resolve, { once: true });
        picture.addEventListener("error", resolve, { once: true });
      }),
  );
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise((resolve) => {
    timer = setTimeout(resolve, patienceMs);
  });
  await Promise.race([Promise.all(over), patience]);
  clearTimeout(timer);
}
