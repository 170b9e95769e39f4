/** Resolves when the visible pictures have loaded or failed, or after `patienceMs`. */
export async function picturesLoaded(pictures: Iterable<HTMLImageElement>, patienceMs: number) {
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
