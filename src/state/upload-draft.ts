/** Caption and tags of an upload that was not finished; cleared when it was (specification §4). */
export interface UploadDraftText {
  caption: string;
  tags: string;
}

export const UPLOAD_DRAFT_KEY = "augenblick.upload-draft";
const EMPTY: UploadDraftText = { caption: "", tags: "" };

export function readUploadDraft(store: Storage): UploadDraftText {
  try {
    const value: unknown = JSON.parse(store.getItem(UPLOAD_DRAFT_KEY) ?? "null");
    if (typeof value !== "object" || value === null) return EMPTY;
    const { caption, tags } = value as Record<string, unknown>;
    return typeof caption === "string" && typeof tags === "string" ? { caption, tags } : EMPTY;
  } catch {
    return EMPTY;
  }
}

export function writeUploadDraft(draft: UploadDraftText, store: Storage): void {
  try {
    if (draft.caption === "" && draft.tags === "") store.removeItem(UPLOAD_DRAFT_KEY);
    else store.setItem(UPLOAD_DRAFT_KEY, JSON.stringify(draft));
  } catch {
    // Full: the text then lives as long as the page.
  }
}
