/** What an answer means for an intent: decided here and nowhere else (architecture, "Answers are classified once"). */

import type { Answer, Refusal } from "@/data/remote/answers";
import { refusalCode } from "@/data/remote/failures";
import type { ErrorCode } from "@/domain/error-codes";

export type Verdict =
  /** `gone`: as wanted because what it is about is not there. */
  | { kind: "done"; body: unknown; gone?: true }
  /** The id is taken: look whether the row is mine and equal. */
  | { kind: "compare" }
  /** The server may have taken us for a guest: ask it about the token, then judge again. */
  | { kind: "check-token" }
  | { kind: "needs-login" }
  /** The same identity again; `after` is the server's wish in milliseconds. */
  | { kind: "retry"; code: ErrorCode; after: number | null }
  | { kind: "refused"; code: ErrorCode; message: string };

export interface AnswerContext {
  /** What auth-refresh said about the token since this answer. */
  token: "unchecked" | "good" | "bad";
  goneIsDone: boolean;
  duplicate: "done" | "compare" | null;
}

export function classifyAnswer(answer: Answer, context: AnswerContext): Verdict {
  switch (answer.kind) {
    case "accepted":
      return { kind: "done", body: answer.body };
    case "unknown": {
      if (answer.code === "quota") return { kind: "refused", code: "quota", message: "" };
      const after = answer.retryAfter === null ? null : answer.retryAfter * 1000;
      return { kind: "retry", code: answer.code, after };
    }
    case "refusal":
      return classifyRefusal(answer, context);
  }
}

function classifyRefusal(answer: Refusal, context: AnswerContext): Verdict {
  const code = refusalCode(answer);
  if (answer.code === "unauthenticated" || context.token === "bad") {
    return { kind: "needs-login" };
  }
  if (code === "duplicate" && context.duplicate !== null) {
    return context.duplicate === "done" ? { kind: "done", body: null } : { kind: "compare" };
  }
  // To a guest PocketBase says 400, 401, 403 or 404 like to anyone: only our own word is certain.
  if (answer.code === null && context.token === "unchecked" && isGuestStatus(answer.status)) {
    return { kind: "check-token" };
  }
  // It says the same of a token or a rule that a busy database could not look up; a rule of ours has a word.
  if (context.token === "good" && isBare(answer)) {
    return { kind: "retry", code: "server", after: null };
  }
  const gone = answer.status === 404 || answer.status === 410;
  if (gone && context.goneIsDone) return { kind: "done", body: null, gone };
  return { kind: "refused", code, message: answer.message };
}

/** Neither a word of ours nor a field's fault: PocketBase's own no, which may also mean that it could not look. */
export const isBare = ({ code, fields, status }: Refusal): boolean =>
  code === null && Object.keys(fields).length === 0 && (status === 400 || status === 401);

const isGuestStatus = (status: number): boolean =>
  status === 400 || status === 401 || status === 403 || status === 404;
