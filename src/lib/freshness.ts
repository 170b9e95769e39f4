/** When something was last asked for, so that a read knows whether to ask again. Times in milliseconds. */
export interface Freshness {
  /**
   * Asks, unless the last successful answer for `key` is younger than `lifetimeMs`; then it is a success without asking.
   * A clock that was set back makes nothing fresh.
   */
  ask<Failed>(
    key: string,
    lifetimeMs: number,
    question: () => Promise<{ success: true } | Failed>,
  ): Promise<{ success: true } | Failed>;
}

export function createFreshness(now: () => number): Freshness {
  const answered = new Map<string, number>();
  return {
    ask: async (key, lifetimeMs, question) => {
      const age = now() - (answered.get(key) ?? Number.NEGATIVE_INFINITY);
      if (age >= 0 && age < lifetimeMs) return { success: true };
      const answer = await question();
      if (typeof answer === "object" && answer !== null && "success" in answer && answer.success) {
        answered.set(key, now());
      }
      return answer;
    },
  };
}
