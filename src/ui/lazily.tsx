/** The component `name` of a module that is loaded when it is first rendered. */
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect } from "react";
import { failedParts } from "@/lib/failed-part";

type Load<Name extends string, Props> = () => Promise<Record<Name, ComponentType<Props>>>;

/** What does not come is left out and reported, so that the page around it stays. */
export function lazyPart<Name extends string, Props extends object>(
  load: Load<Name, Props>,
  name: Name,
) {
  return lazy<ComponentType<Props>>(() =>
    load().then(
      (file) => ({ default: file[name] }),
      () => ({ default: NotLoaded }),
    ),
  );
}

function NotLoaded() {
  // Outside: the notices.
  useEffect(() => failedParts.set(failedParts.getSnapshot() + 1), []);
  return null;
}

export function lazily<Name extends string, Props extends object>(
  load: Load<Name, Props>,
  name: Name,
  loading: ReactNode = null,
) {
  const Part = lazyPart(load, name);
  return (props: Props) => (
    <Suspense fallback={loading}>
      <Part {...props} />
    </Suspense>
  );
}
