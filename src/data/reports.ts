/** Reports: what somebody thinks does not belong here, for the admins. No device keeps one. */

import { pairId } from "@/domain/ids";
import { REASON_MAX } from "@/domain/limits";
import type { ReportKind, ReportTopic } from "@/domain/reports";
import { failed, type Result } from "@/domain/result";
import { isBlank } from "@/domain/texts";
import type { Acts } from "./engine/enqueue";
import { defineKind, type Noun } from "./engine/noun";
import { records } from "./engine/remote";
import { mediaLane } from "./media/intents";
import type { Queued } from "./shapes";

/** Of a medium, as every version of the server takes it. */
interface MediaReport {
  mediaId: string;
  userId: string;
  reason: string;
  /** Those of earlier versions lack it. */
  topic?: ReportTopic;
}

interface OtherReport {
  kind: Exclude<ReportKind, "media">;
  targetId: string;
  userId: string;
  /** The medium of a comment, the person of a message; otherwise "". */
  place: string;
  /** "" beside a topic that says enough. */
  reason: string;
  topic: ReportTopic;
}

declare module "@/data/engine/noun" {
  interface IntentBodies {
    "report.create": MediaReport;
    "report.send": OtherReport;
  }
}

const medium = ({ mediaId }: MediaReport) => ({ name: "media", id: mediaId }) as const;

const ofMedium = defineKind<"report.create">({
  kind: "report.create",
  lane: mediaLane,
  target: ({ mediaId }) => mediaId,
  subject: medium,
  needs: ["mediaId", "userId", "reason"],
  request: ({ mediaId, userId, reason, topic }) => ({
    path: records("reports"),
    method: "POST",
    body: { id: pairId(mediaId, userId), mediaId, userId, reason, ...(topic && { topic }) },
  }),
  duplicateSettles: () => true,
  change: { isLost: () => true },
  label: ({ reason }) => reason,
});

const ofOther = defineKind<"report.send">({
  kind: "report.send",
  lane: ({ targetId }) => `report:${targetId}`,
  target: ({ targetId }) => targetId,
  subject: ({ kind, targetId, place }) =>
    kind === "comment"
      ? { name: "media", id: place }
      : { name: "profiles", id: kind === "person" ? targetId : place },
  needs: ["kind", "targetId", "userId", "reason", "topic"],
  request: ({ kind, targetId, userId, reason, topic }) => ({
    path: records("reports"),
    method: "POST",
    body: { id: pairId(targetId, userId), kind, targetId, userId, reason, topic },
  }),
  duplicateSettles: () => true,
  change: { isLost: () => true },
  label: ({ reason }) => reason,
});

export const reports: Noun = {
  collections: {},
  kinds: [ofMedium, ofOther],
  emptyOverlay: () => ({}),
};

/** What is reported. `place`: the medium of a comment, the person of a message; otherwise "". */
export interface Reported {
  kind: ReportKind;
  id: string;
  place: string;
}

/** `said`: the topic as the reader's language calls it, which earlier servers need of media. */
export interface ReportReason {
  topic: ReportTopic;
  said: string;
  words: string;
}

export const createReportWrites = (acts: Acts) => ({
  async report(what: Reported, why: ReportReason): Promise<Result<Queued>> {
    const words = why.words.trim();
    const { topic } = why;
    if (isBlank(words) && topic === "other") return failed("text_empty");
    if (words.length > REASON_MAX) return failed("text_long");
    const { kind, id, place } = what;
    return acts.enqueueAs(({ id: userId }) =>
      kind === "media"
        ? {
            kind: "report.create",
            body: { mediaId: id, userId, reason: isBlank(words) ? why.said : words, topic },
          }
        : {
            kind: "report.send",
            body: { kind, targetId: id, userId, place, reason: isBlank(words) ? "" : words, topic },
          },
    );
  },
});
