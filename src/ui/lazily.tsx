/**
 * Components whose code comes when they are first rendered. React's own `lazy` keeps what came back
 * until a placeholder, of this part or of any other, has stood for 300 ms, and once more for the
 * part inside; these are drawn as soon as they are there, and at once where they were there before.
 */
import { type ComponentType, type ReactNode, useEffect, useSyncExternalStore } from "react";
import { failedParts } from "@/lib/failed-part";

type Load<Name extends string, Props> = () => Promise<Record<Name, ComponentType<Props>>>;

/** Shown while the code is coming, with the part's own properties. */
type Loading<Props> = (props: Props) => ReactNode;

const nothing = () => null;

/**
 * The component `name` of a module, without which the page makes no sense: where it does not come,
 * rendering throws the import's error. `warm` loads it ahead; it may fail, and is tried again then.
 */
export function lazyPage<Name extends string, Props extends object>(
  load: Load<Name, Props>,
  name: Name,
  Loading: Loading<Props> = nothing,
) {
  let come: { Part: ComponentType<Props> } | { error: unknown } | undefined;
  let coming: Promise<void> | undefined;
  const warm = () => {
    coming ??= load().then(
      (file) => {
        come = { Part: file[name] };
      },
      (error: unknown) => {
        coming = undefined;
        throw error;
      },
    );
    return coming;
  };
  const subscribe = (changed: () => void) => {
    if (come === undefined)
      void warm()
        .catch((error: unknown) => {
          come = { error };
        })
        .then(changed);
    return () => undefined;
  };
  const getSnapshot = () => come;
  function Lazily(props: Props) {
    const now = useSyncExternalStore(subscribe, getSnapshot);
    if (now === undefined) {
      // Asked for at once, a frame before the subscription, which also hears of a failure.
      warm().catch(() => undefined);
      return <Loading {...props} />;
    }
    if ("error" in now) throw now.error;
    return <now.Part {...props} />;
  }
  const isWarm = () => come !== undefined && "Part" in come;
  return Object.assign(Lazily, { warm, isWarm });
}

/** The same for a part of a page: where it does not come, it is left out and reported. */
export function lazily<Name extends string, Props extends object>(
  load: Load<Name, Props>,
  name: Name,
  loading?: Loading<Props>,
) {
  const orNothing = () =>
    load().catch(() => ({ [name]: NotLoaded }) as Record<Name, typeof NotLoaded>);
  return lazyPage<Name, Props>(orNothing, name, loading);
}

function NotLoaded() {
  // Outside: the notices.
  useEffect(() => failedParts.set(failedParts.getSnapshot() + 1), []);
  return null;
}
