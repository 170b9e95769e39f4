/** The component `name` of a module that is loaded when it is first rendered. */
import { type ComponentType, lazy, type ReactNode, Suspense } from "react";

export function lazily<Name extends string, Props extends object>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
  loading: ReactNode = null,
) {
  const Part = lazy<ComponentType<Props>>(async () => ({ default: (await load())[name] }));
  return (props: Props) => (
    <Suspense fallback={loading}>
      <Part {...props} />
    </Suspense>
  );
}
