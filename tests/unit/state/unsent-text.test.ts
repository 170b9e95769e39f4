import { beforeEach, expect, test, vi } from "vitest";
import {
  readChatDraft,
  readLegalDraft,
  readUploadDraft,
  wipeChatDrafts,
  writeChatDraft,
  writeLegalDraft,
  writeUploadDraft,
} from "@/state/unsent-text";
import { memoryStorage } from "./support";

let store: Storage;
beforeEach(() => {
  store = memoryStorage();
  vi.stubGlobal("localStorage", store);
  return () => void vi.unstubAllGlobals();
});

test("a chat draft is kept per person and chat, goes when it is emptied, and all go at once", () => {
  store.setItem("another", "stays");
  writeChatDraft({ userId: "ann", conversationId: "ann_ben", text: "from Ann" });
  writeChatDraft({ userId: "ben", conversationId: "ann_ben", text: "from Ben" });
  expect(store.getItem("augenblick.chat-draft.ann_ben.ann")).toBe("from Ann");
  expect(readChatDraft("ann", "ann_ben")).toBe("from Ann");
  expect(readChatDraft("ben", "ann_ben")).toBe("from Ben");
  expect(readChatDraft("ann", "ann_cleo")).toBe("");
  writeChatDraft({ userId: "ann", conversationId: "ann_ben", text: "" });
  expect(readChatDraft("ann", "ann_ben")).toBe("");
  wipeChatDrafts();
  expect(readChatDraft("ben", "ann_ben")).toBe("");
  expect(store.length).toBe(1);
});

test("an upload's draft comes back, and is removed when both texts are empty", () => {
  writeUploadDraft({ caption: "By the sea", tags: "sea" });
  expect(store.getItem("augenblick.upload-draft")).toBe('{"caption":"By the sea","tags":"sea"}');
  expect(readUploadDraft()).toEqual({ caption: "By the sea", tags: "sea" });
  writeUploadDraft({ caption: "", tags: "" });
  expect(store.length).toBe(0);
  expect(readUploadDraft()).toEqual({ caption: "", tags: "" });
  store.setItem("augenblick.upload-draft", '{"caption":"By the sea"}');
  expect(readUploadDraft()).toEqual({ caption: "", tags: "" });
});

const ann = { id: "terms", userId: "ann" } as const;
const draft = { content: "<p>x</p>", revision: 2, at: 5 };

test("a legal draft comes back to its writer alone, and goes when it is taken away", () => {
  writeLegalDraft(ann, draft);
  expect(readLegalDraft(ann)).toEqual(draft);
  expect(readLegalDraft({ ...ann, userId: "ben" })).toBeNull();
  expect(readLegalDraft({ ...ann, id: "privacy" })).toBeNull();
  writeLegalDraft(ann, null);
  expect(readLegalDraft(ann)).toBeNull();
});

test("what is no legal draft is none, and a full device says that it kept nothing", () => {
  store.setItem("augenblick.legal-draft.terms.ann", '{"content":7}');
  expect(readLegalDraft(ann)).toBeNull();
  store.setItem("augenblick.legal-draft.terms.ann", "{");
  expect(readLegalDraft(ann)).toBeNull();
  store.setItem = () => {
    throw new Error("full");
  };
  expect(writeLegalDraft(ann, draft)).toBe(false);
});
