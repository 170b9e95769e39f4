/** Makes a live value of the open scope's stream, the same one for the same key. */
import type { Observable } from "rxjs";
import type { Live } from "@/data/client-api";
import type { Scope } from "@/data/open-scope";

/** `first` is shown while nobody's data are open, `failed` when the stream broke. */
export type LiveMaker = <T>(
  key: string,
  source: (scope: Scope) => Observable<T>,
  first: T,
  failed: T,
) => Live<T>;
