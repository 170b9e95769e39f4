import { beforeEach, expect, test, vi } from "vitest";
import {
  chatDraft,
  commentDraft,
  legalDraft,
  readUploadDraft,
  wipeTyped,
  writeUploadDraft,
} from "@/state/unsent-text";
import { memoryStorage } from "./support";

let store: Storage;
beforeEach(() => {
  store = memoryStorage();
  vi.stubGlobal("localStorage", store);
  return () => void vi.unstubAllGlobals();
});

test("a chat draft is kept per person and chat, goes when it is emptied, and all that was typed goes at a sign-out", () => {
  store.setItem("another", "stays");
  chatDraft("ann", "ann_ben").write("from Ann");
  chatDraft("ben", "ann_ben").write("from Ben");
  expect(store.getItem("augenblick.chat-draft.ann_ben.ann")).toBe("from Ann");
  expect(chatDraft("ann", "ann_ben").read()).toBe("from Ann");
  expect(chatDraft("ben", "ann_ben").read()).toBe("from Ben");
  expect(chatDraft("ann", "ann_cleo").read()).toBeNull();
  chatDraft("ann", "ann_ben").write(null);
  expect(chatDraft("ann", "ann_ben").read()).toBeNull();
  writeUploadDraft({ caption: "By the sea", tags: "" });
  legalDraft("terms", "ben").write({ content: "<p>x</p>", revision: 2, at: 5 });
  commentDraft("ben", "medium").write("Lovely");
  expect(commentDraft("ann", "medium").read()).toBeNull();
  wipeTyped();
  expect(chatDraft("ben", "ann_ben").read()).toBeNull();
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

const draft = { content: "<p>x</p>", revision: 2, at: 5 };

test("a legal draft comes back to its writer alone, and goes when it is taken away", () => {
  legalDraft("terms", "ann").write(draft);
  expect(legalDraft("terms", "ann").read()).toEqual(draft);
  expect(legalDraft("terms", "ben").read()).toBeNull();
  expect(legalDraft("privacy", "ann").read()).toBeNull();
  legalDraft("terms", "ann").write(null);
  expect(legalDraft("terms", "ann").read()).toBeNull();
});

test("what is no legal draft is none, and a full device says that it kept nothing", () => {
  store.setItem("augenblick.legal-draft.terms.ann", '{"content":7}');
  expect(legalDraft("terms", "ann").read()).toBeNull();
  store.setItem("augenblick.legal-draft.terms.ann", "{");
  expect(legalDraft("terms", "ann").read()).toBeNull();
  store.setItem = () => {
    throw new Error("full");
  };
  expect(legalDraft("terms", "ann").write(draft)).toBe(false);
});
