/** The feed's pages, checked where they come in: what is not of this shape is not our server's answer. */
import { isRecord } from "@/data/remote/answers";
import { CACHE_NAMES } from "@/data/replica/open-replica";
import type { RawRecord } from "@/data/schema/define-schema";
import type { Changes } from "./apply-changes";

export interface FeedPosition {
  epoch: string;
  checkpoint: number;
}

export interface FeedChanges extends FeedPosition {
  more: boolean;
  /** The server cannot continue from where the caller was. */
  reset: boolean;
  /** Whether the caller is an admin now; null for guests. */
  isAdmin: boolean | null;
  changes: Changes;
}

export function parsePosition(body: unknown): FeedPosition | null {
  if (!isRecord(body)) return null;
  const { epoch, checkpoint } = body;
  if (typeof epoch !== "string" || epoch === "" || typeof checkpoint !== "number") return null;
  return { epoch, checkpoint };
}

export function parsePage(body: unknown): FeedChanges | null {
  const position = parsePosition(body);
  if (position === null || !isRecord(body) || !isRecord(body["changes"])) return null;
  const changes: Changes = {};
  for (const name of CACHE_NAMES) {
    const change = body["changes"][name];
    if (!isRecord(change)) continue;
    changes[name] = {
      documents: recordsOf(change["documents"]),
      deleted: listOf(change["deleted"]).filter((id) => typeof id === "string"),
    };
  }
  const { isAdmin } = body;
  return {
    ...position,
    more: body["more"] === true,
    reset: body["reset"] === true,
    isAdmin: typeof isAdmin === "boolean" ? isAdmin : null,
    changes,
  };
}

/** The items of PocketBase's record list, or null when it is none. */
export function parseList(body: unknown): RawRecord[] | null {
  return isRecord(body) && Array.isArray(body["items"]) ? recordsOf(body["items"]) : null;
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const recordsOf = (value: unknown): RawRecord[] => listOf(value).filter(isRecord);
