/** Stub. */
export function UpdatePrompt() {
  return null;
}
