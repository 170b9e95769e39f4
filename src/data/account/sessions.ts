/** Where the account is signed in: asked of the server when Settings open, and never stored. */
import { type Answer, isRecord, toFailure } from "@/data/engine/answers";
import type { Remote } from "@/data/engine/remote";
import { type RawRecord, textOf } from "@/data/engine/rows";
import type { SessionUser } from "@/data/shapes";
import { failed, ok, type Result } from "@/domain/result";
import { parseInstant } from "@/domain/times";

export interface DeviceSession {
  id: string;
  /** Such as "Chrome on Android". */
  device: string;
  /** Milliseconds. */
  since: number;
  lastSeen: number;
  isThis: boolean;
}

const PATH = "/api/account/sessions";

/** The end of another's session ends this device's token too, and its answer brings the next. */
export function createSessions(remote: Remote, take: (answer: Answer) => Result<SessionUser>) {
  return {
    async list(): Promise<Result<DeviceSession[]>> {
      const answer = await remote.request(PATH, { withSession: true });
      if (answer.kind !== "accepted") return toFailure(answer);
      const items = isRecord(answer.body) ? answer.body["items"] : null;
      return Array.isArray(items) ? ok(items.filter(isRecord).map(sessionOf)) : failed("network");
    },
    /** Succeeds also where it has ended already. */
    async end(id: string): Promise<Result<null>> {
      const path = `${PATH}/${encodeURIComponent(id)}`;
      const answer = await remote.request(path, { method: "DELETE", withSession: true });
      if (answer.kind === "refusal" && answer.status === 404) return ok(null);
      const taken = take(answer);
      return taken.success ? ok(null) : taken;
    },
    async endOthers(): Promise<Result<null>> {
      const taken = take(
        await remote.request(`${PATH}/end`, { method: "POST", withSession: true }),
      );
      return taken.success ? ok(null) : taken;
    },
  };
}

const sessionOf = (row: RawRecord): DeviceSession => ({
  id: textOf(row, "id"),
  device: textOf(row, "device"),
  since: parseInstant(row["createdAt"]),
  lastSeen: parseInstant(row["lastSeenAt"]),
  isThis: row["isThis"] === true,
});
