/** What an admin has written of a legal text and not published yet, on this device: each admin's own. */
export interface LegalDraft {
  /** HTML. */
  content: string;
  /** The revision that it began from. */
  revision: number;
  /** Milliseconds since 1970. */
  at: number;
}

type LegalId = "terms" | "privacy";

/** Lies on admins' devices: never rename. */
const draftKey = (id: LegalId, userId: string): string => `augenblick.legal-draft.${id}.${userId}`;

export function readLegalDraft(
  store: Storage,
  { id, userId }: { id: LegalId; userId: string },
): LegalDraft | null {
  try {
    const value: unknown = JSON.parse(store.getItem(draftKey(id, userId)) ?? "null");
    if (typeof value !== "object" || value === null) return null;
    const draft = value as Partial<LegalDraft>;
    const whole =
      typeof draft.content === "string" &&
      typeof draft.revision === "number" &&
      typeof draft.at === "number";
    return whole ? (draft as LegalDraft) : null;
  } catch {
    return null;
  }
}

/** False where the device has no room: the draft then lives as long as the page. */
export function writeLegalDraft(
  store: Storage,
  { id, userId }: { id: LegalId; userId: string },
  draft: LegalDraft | null,
): boolean {
  try {
    if (draft === null) store.removeItem(draftKey(id, userId));
    else store.setItem(draftKey(id, userId), JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}
