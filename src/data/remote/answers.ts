/**
 * What came back from a request, decided once: our server's yes, our server's no, or something that
 * leaves open what happened (architecture, "Answers are classified once").
 */
import { type ErrorCode, isErrorCode } from "@/domain/error-codes";

export type Answer = Accepted | Refusal | Unknown;

export interface Accepted {
  kind: "accepted";
  status: number;
  body: unknown;
}

/** JSON of our server's whose `status` equals the HTTP status, 4xx. */
export interface Refusal {
  kind: "refusal";
  status: number;
  /** The server's stable word, or null where PocketBase itself answered. */
  code: ErrorCode | null;
  message: string;
  /** Field faults: name → code. */
  fields: Record<string, string>;
}

export interface Unknown {
  kind: "unknown";
  /** 0 when nothing came. */
  status: number;
  code: Extract<ErrorCode, "network" | "timeout" | "server" | "rate_limited" | "quota">;
  /** Whether it was our server that answered. */
  ours: boolean;
  /** Seconds, where the server said so. */
  retryAfter: number | null;
}

export const noAnswer = (code: "network" | "timeout"): Unknown => ({
  kind: "unknown",
  status: 0,
  code,
  ours: false,
  retryAfter: null,
});

/** Reads a response to its end. Never throws. */
export async function readAnswer(response: Response): Promise<Answer> {
  const { status } = response;
  const body = status === 204 ? null : await readJson(response);
  if (response.redirected || body === undefined) return noAnswer("network");
  if (response.ok) return { kind: "accepted", status, body };
  if (!isRecord(body) || body["status"] !== status) return noAnswer("network");
  return refusalOf(status, body, Number(response.headers.get("Retry-After")) || null);
}

/** `undefined` for what is not JSON, or is cut short. */
async function readJson(response: Response): Promise<unknown> {
  try {
    return JSON.parse(await response.text()) as unknown;
  } catch {
    return undefined;
  }
}

function refusalOf(
  status: number,
  body: Record<string, unknown>,
  retryAfter: number | null,
): Refusal | Unknown {
  const code = isErrorCode(body["code"]) ? body["code"] : null;
  if (status === 507) return { kind: "unknown", status, code: "quota", ours: true, retryAfter };
  if (status === 429) {
    return { kind: "unknown", status, code: "rate_limited", ours: true, retryAfter };
  }
  if (status === 408) return { kind: "unknown", status, code: "timeout", ours: true, retryAfter };
  if (status >= 500) return { kind: "unknown", status, code: "server", ours: true, retryAfter };
  const message = typeof body["message"] === "string" ? body["message"] : "";
  return { kind: "refusal", status, code, message, fields: fieldCodes(body["data"]) };
}

function fieldCodes(data: unknown): Record<string, string> {
  if (!isRecord(data)) return {};
  const entries = Object.entries(data).flatMap(([field, fault]) =>
    isRecord(fault) && typeof fault["code"] === "string" ? [[field, fault["code"]]] : [],
  );
  return Object.fromEntries(entries) as Record<string, string>;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
