/** Continues in the browser's next task, so that it can paint and handle input before. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
