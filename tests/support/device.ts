/** One person's browser as the journey uses it, whichever it is; each kind has a file of its own. */

/** Elements by selector and by a text that they contain. */
interface Step {
  css: string;
  text?: string;
}

/** A way to elements: each step looks inside what the one before found. */
export type Part = readonly Step[];

export interface Device {
  open(address: string): Promise<void>;
  reload(): Promise<void>;
  back(): Promise<void>;
  address(): Promise<string>;
  /** Waits until the first such element is visible. */
  sees(part: Part): Promise<void>;
  /** Waits until there is no such element. */
  misses(part: Part): Promise<void>;
  count(part: Part): Promise<number>;
  click(part: Part): Promise<void>;
  /** Types into an empty field. */
  types(part: Part, text: string): Promise<void>;
  /** Picks files, by their paths, in a field for files. */
  picks(part: Part, files: readonly string[]): Promise<void>;
  /** Runs a function in the page. It sees nothing but its argument, which must be plain data. */
  run<Argument, Value>(
    script: (argument: Argument) => Promise<Value>,
    argument: Argument,
  ): Promise<Value>;
  /** What pages threw and did not catch, where the browser tells. */
  errors: readonly string[];
  close(): Promise<void>;
}

/** Elements with that `data-testid` that contain the text. */
export const part = (testId: string, text?: string): Part => [
  { css: `[data-testid="${testId}"]`, ...(text === undefined ? {} : { text }) },
];
