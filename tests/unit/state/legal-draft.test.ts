import { expect, test } from "vitest";
import { readLegalDraft, writeLegalDraft } from "@/state/legal-draft";
import { memoryStorage } from "./support";

const ann = { id: "terms", userId: "ann" } as const;
const draft = { content: "<p>x</p>", revision: 2, at: 5 };

test("a draft comes back to its writer alone, and goes when it is taken away", () => {
  const store = memoryStorage();
  writeLegalDraft(store, ann, draft);
  expect(readLegalDraft(store, ann)).toEqual(draft);
  expect(readLegalDraft(store, { ...ann, userId: "ben" })).toBeNull();
  expect(readLegalDraft(store, { ...ann, id: "privacy" })).toBeNull();
  writeLegalDraft(store, ann, null);
  expect(readLegalDraft(store, ann)).toBeNull();
});

test("what is no draft is none, and a full device says that it kept nothing", () => {
  const store = memoryStorage();
  store.setItem("augenblick.legal-draft.terms.ann", '{"content":7}');
  expect(readLegalDraft(store, ann)).toBeNull();
  store.setItem("augenblick.legal-draft.terms.ann", "{");
  expect(readLegalDraft(store, ann)).toBeNull();
  const full = {
    ...memoryStorage(),
    setItem: () => {
      throw new Error("full");
    },
  };
  expect(writeLegalDraft(full, ann, draft)).toBe(false);
});
