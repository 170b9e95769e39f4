import { expect, test } from "vitest";
import { readChatDraft, wipeChatDrafts, writeChatDraft } from "@/state/chat-drafts";
import { memoryStorage } from "./support";

test("a draft is kept per person and chat, goes when it is emptied, and all go at once", () => {
  const store = memoryStorage();
  store.setItem("another", "stays");
  writeChatDraft(store, { userId: "ann", conversationId: "ann_ben", text: "from Ann" });
  writeChatDraft(store, { userId: "ben", conversationId: "ann_ben", text: "from Ben" });
  expect(readChatDraft(store, "ann", "ann_ben")).toBe("from Ann");
  expect(readChatDraft(store, "ben", "ann_ben")).toBe("from Ben");
  expect(readChatDraft(store, "ann", "ann_cleo")).toBe("");
  writeChatDraft(store, { userId: "ann", conversationId: "ann_ben", text: "" });
  expect(readChatDraft(store, "ann", "ann_ben")).toBe("");
  wipeChatDrafts(store);
  expect(readChatDraft(store, "ben", "ann_ben")).toBe("");
  expect(store.length).toBe(1);
});
