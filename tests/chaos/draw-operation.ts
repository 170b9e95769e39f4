/** Draws what is done next: seeded, of every kind. */
import { mediaFixture } from "@tests/support/media-fixtures";
import { noisePng } from "@tests/support/noise-png";
import { pickOne, type Random } from "@tests/support/seeded-random";
import { newId } from "@/domain/ids";
import { MB, POST_MAX } from "@/domain/limits";
import { subtitlesName } from "@/domain/subtitles";
import { type Entry, sha256 } from "./ledger";
import type { Operation, OperationKind, Said } from "./operations";

/** How often each kind is drawn, beside the others. */
const WEIGHTS: [kind: OperationKind, weight: number][] = [
  ["upload", 16],
  ["like", 20],
  ["like-comment", 12],
  ["save", 10],
  ["folder", 3],
  ["file-save", 4],
  ["comment", 24],
  ["report", 4],
  ["report-person", 2],
  ["view", 4],
  ["look", 24],
  ["scroll", 6],
  ["moderate", 1],
  ["edit-media", 4],
  ["delete-media", 4],
  ["edit-comment", 5],
  ["delete-comment", 5],
  ["follow", 12],
  ["block", 6],
  ["mute", 4],
  ["profile", 3],
  ["rename", 2],
  ["message", 30],
  ["delete-message", 4],
  ["read", 5],
  ["hear", 5],
  ["subtitles", 12],
];

/** As the queue names what is followed that is nobody. */
const TAGS = ["#kuste", "#ridge", "#drift"];

export interface Drawing {
  random: Random;
  /** Like no other text of the run. */
  token: string;
  /** What this person did on this device. */
  own: readonly Entry[];
  /** Media that anybody has made. */
  made: readonly string[];
  /** What anybody has said to nobody. */
  said: readonly Said[];
  /** Whom this device may follow and block. */
  others: readonly string[];
  /** Everybody else: for chats. */
  strangers: readonly string[];
}

function drawToggle({ random, others }: Drawing, kind: "follow" | "block" | "mute", pick: number) {
  const userId = pickOne(random, kind === "follow" && pick < 0.3 ? TAGS : others);
  const on = random() < (kind === "follow" ? 0.7 : 0.5);
  return userId === undefined ? null : ({ kind, userId, on } as const);
}

/** Null where there is nothing to do it to. */
export function drawOperation(drawing: Drawing): Operation | null {
  const { random, token, own } = drawing;
  const kind = drawKind(random);
  const pick = random();
  const on = random() < 0.7;
  switch (kind) {
    case "upload":
      return { kind, caption: token, post: drawPost(random, own), ...drawFile(random) };
    case "like":
      return { kind, pick, on };
    case "save":
      return { kind, pick, on };
    case "folder":
      return { kind, name: token };
    case "file-save":
      return drawFiling(drawing);
    case "like-comment": {
      const liked = pickOne(random, drawing.said);
      if (liked === undefined) return null;
      return { kind, mediaId: liked.mediaId, commentId: liked.commentId, on };
    }
    case "comment":
      return { kind, pick, text: drawComment(drawing, pick), to: drawParent(drawing) };
    case "report":
      return { kind, pick, reason: token };
    case "report-person":
      return drawReport(drawing);
    case "view":
      return { kind, pick };
    case "moderate":
      return { kind, pick };
    case "scroll":
      return { kind, pick };
    case "look":
      return { kind, mediaId: drawing.made[Math.floor(pick * drawing.made.length)] ?? "" };
    case "edit-media":
    case "delete-media":
    case "subtitles": {
      const target = pickOne(
        random,
        own.filter((e) => e.kind === "upload" && e.mediaId !== "" && allows(kind, e)),
      );
      if (target === undefined) return null;
      const { mediaId } = target;
      if (kind === "subtitles") return { kind, mediaId, ...drawSubtitles(token, on) };
      return kind === "edit-media"
        ? { kind, mediaId, alt: token, on: pick < 0.3 }
        : { kind, mediaId };
    }
    case "message":
    case "delete-message":
    case "read":
      return drawChat(drawing, kind);
    case "edit-comment":
    case "delete-comment":
      return drawOwnComment(drawing, kind);
    case "follow":
    case "block":
    case "mute":
      return drawToggle(drawing, kind, pick);
    case "hear":
      return { kind };
    case "profile":
      return { kind, bio: token };
    case "rename":
      return { kind, username: `name${token}` };
  }
}

function drawFiling({ random, own }: Drawing): Operation | null {
  const saved = pickOne(
    random,
    own.filter((e) => e.kind === "save" && e.mediaId !== ""),
  );
  const folder = pickOne(
    random,
    own.filter((e) => e.kind === "folder" && e.folderId !== ""),
  );
  if (saved === undefined) return null;
  const folderId = random() < 0.7 ? (folder?.folderId ?? "") : "";
  return { kind: "file-save", mediaId: saved.mediaId, folderId };
}

function drawReport({ random, others, token }: Drawing): Operation | null {
  const userId = pickOne(random, others);
  return userId === undefined ? null : { kind: "report-person", userId, reason: token };
}

/** So many comments are replies. */
const REPLYING = 0.3;

const drawParent = ({ random, said }: Drawing): Said | null =>
  random() < REPLYING ? (pickOne(random, said) ?? null) : null;

/** So many comments name the admin. */
const NAMING = 0.3;

const drawComment = ({ token }: Drawing, pick: number): string =>
  pick < NAMING ? `${token} @steward` : token;

/** The next place in the post of this device's last upload, a new post, or none. */
function drawPost(random: Random, own: readonly Entry[]): { id: string; index: number } | null {
  const drawn = random();
  const last = own.findLast((entry) => entry.kind === "upload");
  if (last !== undefined && last.post !== "" && last.postIndex + 1 < POST_MAX && drawn < 0.7) {
    return { id: last.post, index: last.postIndex + 1 };
  }
  return drawn < 0.4 ? { id: newId(random), index: 0 } : null;
}

const allows = (kind: OperationKind, { isVideo }: Entry): boolean =>
  kind !== "subtitles" || isVideo;

function drawSubtitles(token: string, on: boolean): { text: string; name: string } {
  if (!on) return { text: "", name: "" };
  const text = `WEBVTT\n\n00:01.000 --> 00:02.000\n${token}`;
  return { text, name: subtitlesName(sha256(new TextEncoder().encode(text))) };
}

/** No screen lets anybody change what he has deleted. */
function drawOwnComment(
  { random, own, token }: Drawing,
  kind: "edit-comment" | "delete-comment",
): Operation | null {
  const of = (done: Entry["kind"]) => own.filter((entry) => entry.kind === done);
  const deleted = of("delete-comment").map(({ commentId }) => commentId);
  const there = of("comment").filter(
    ({ commentId }) => commentId !== "" && !deleted.includes(commentId),
  );
  const target = pickOne(random, there);
  if (target === undefined) return null;
  const { mediaId, commentId } = target;
  return kind === "edit-comment"
    ? { kind, mediaId, commentId, text: token }
    : { kind, mediaId, commentId };
}

function drawChat(
  { random, token, own, strangers }: Drawing,
  kind: "message" | "delete-message" | "read",
): Operation | null {
  const userId = pickOne(random, strangers);
  if (userId === undefined) return null;
  if (kind === "read") return { kind, userId };
  if (kind === "message") {
    const size = random();
    const edge = size < 0.03 ? 990 : size < 0.2 ? 60 : 0;
    return {
      kind,
      userId,
      text: token,
      bytes: edge === 0 ? null : new Uint8Array(noisePng(edge, edge)),
    };
  }
  const sent = own.filter((entry) => entry.kind === "message" && entry.messageId !== "");
  const target = pickOne(random, sent);
  return target === undefined
    ? null
    : { kind, userId: target.otherId, messageId: target.messageId };
}

function drawKind(random: Random): OperationKind {
  const all = WEIGHTS.reduce((sum, [, weight]) => sum + weight, 0);
  let left = random() * all;
  for (const [kind, weight] of WEIGHTS) {
    left -= weight;
    if (left < 0) return kind;
  }
  return "comment";
}

/** Mostly small; some as large as a phone's, and a few that need more than one chunk. */
function drawFile(random: Random): { bytes: Uint8Array<ArrayBuffer>; type: "photo" | "video" } {
  const size = random();
  if (size < 0.06) return { bytes: paddedVideo(6 * MB), type: "video" };
  // Where a small photo would be: the sizes above stay what they are.
  if (size > 0.6) return { bytes: paddedVideo((size - 0.6) * MB), type: "video" };
  const edge = size < 0.14 ? 990 : size < 0.3 ? 300 : 24;
  return { bytes: new Uint8Array(noisePng(edge, edge)), type: "photo" };
}

/** A real video with a box of padding behind it. */
function paddedVideo(most: number): Uint8Array<ArrayBuffer> {
  const video = mediaFixture("video.mp4");
  const padding = 8 + Math.floor(most);
  const bytes = new Uint8Array(video.length + padding);
  bytes.set(video);
  new DataView(bytes.buffer).setUint32(video.length, padding);
  bytes.set(new TextEncoder().encode("free"), video.length + 4);
  return bytes;
}
