/**
 * What was done in a run, as the people would remember it: who did what on which device, and whether the device said
 * that it was safe. The server and every replica are held against this.
 */
import { createHash } from "node:crypto";
import type { Done, Operation, OperationKind } from "./operations";

export interface Entry {
  /** Ascending in the run; within a device the order in which things were done. */
  n: number;
  device: string;
  userId: string;
  kind: OperationKind;
  /** Caption, text, reason, biography or name: unlike any other's. "" for what has none. */
  token: string;
  /** Of an upload. */
  isVideo: boolean;
  /** Of an upload: the post that it is part of, "" for none, and its place there. */
  post: string;
  postIndex: number;
  mediaId: string;
  commentId: string;
  /** Of a reply: what it answers. */
  parentId: string;
  /** Of a folder, or of the one that something was put into. */
  folderId: string;
  messageId: string;
  /** Of what was heard, the newest. */
  newsId: string;
  otherId: string;
  on: boolean;
  /** Of an upload's file, or a photo's in a chat. */
  sha256: string;
  /** "maybe": the device died while it was asked. */
  fate: "taken" | "maybe";
  /** A restored backup took it, and no device of its author's held it any more: it may be as if it had never been. */
  forgotten: boolean;
  /** A restored backup took it, for a while or for good. */
  shaken: boolean;
}

export interface Ledger {
  entries: Entry[];
  /** "refused here" and "nothing to do it to" leave no entry. */
  note(device: string, userId: string, order: Operation, done: Done | "died"): void;
}

export const sha256 = (bytes: Uint8Array): string =>
  createHash("sha256").update(bytes).digest("hex");

export function createLedger(): Ledger {
  const entries: Entry[] = [];
  return {
    entries,
    note(device, userId, order, done) {
      if (done !== "died" && !done.taken) return;
      entries.push({
        n: entries.length,
        device,
        userId,
        kind: order.kind,
        token: tokenOf(order),
        post: postOf(order)?.id ?? "",
        postIndex: postOf(order)?.index ?? 0,
        isVideo: order.kind === "upload" && order.type === "video",
        ...aboutWhat(order, done === "died" ? { taken: false } : done),
        sha256: "bytes" in order && order.bytes !== null ? sha256(order.bytes) : "",
        fate: done === "died" ? "maybe" : "taken",
        forgotten: false,
        shaken: false,
      });
    },
  };
}

const postOf = (order: Operation) => (order.kind === "upload" ? order.post : null);

function aboutWhat(order: Operation, done: Done) {
  const known: Partial<
    Record<"mediaId" | "commentId" | "folderId" | "messageId" | "newsId", string>
  > = {
    ...order,
    ...done,
  };
  const { mediaId = "", commentId = "", folderId = "", messageId = "", newsId = "" } = known;
  return {
    mediaId,
    commentId,
    folderId,
    messageId,
    newsId,
    parentId: ("to" in order && order.to?.commentId) || "",
    otherId: "userId" in order ? order.userId : "",
    on: "on" in order ? order.on : true,
  };
}

function tokenOf(order: Operation): string {
  switch (order.kind) {
    case "upload":
      return order.caption;
    case "comment":
    case "edit-comment":
    case "message":
      return order.text;
    case "report":
    case "report-person":
      return order.reason;
    case "profile":
      return order.bio;
    case "edit-media":
      return order.alt;
    case "subtitles":
      return order.name;
    case "rename":
      return order.username;
    case "folder":
      return order.name;
    default:
      return "";
  }
}
