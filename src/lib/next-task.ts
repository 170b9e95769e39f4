/** Ends the browser's task here, so that it may paint and answer before what comes next. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
