/** Whether moving pictures may begin by themselves: not where motion or data are to be spared. */
interface Connection {
  saveData?: boolean;
  effectiveType?: string;
}

export const sparesMotion = (): boolean =>
  typeof matchMedia === "function" && matchMedia("(prefers-reduced-motion: reduce)").matches;

export function mayPlayBySelf(): boolean {
  const { connection } = navigator as Navigator & { connection?: Connection };
  if (connection?.saveData === true) return false;
  if (connection?.effectiveType?.includes("2g") === true) return false;
  return !sparesMotion();
}
