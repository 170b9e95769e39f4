/** Which fault meets which request: decided by the seed and the request's number alone. */
import type { Fault, ProxiedRequest } from "@tests/support/fault-proxy";
import { pickOne, type Random, seededRandom } from "@tests/support/seeded-random";

/** Share of single requests that a fault meets, and of stretches in which none gets through. */
const FAULTY = 0.28;
const OUTAGE = 0.1;
/** Requests in one stretch. */
const STRETCH = 5;

const numberOf = (seed: number, ...parts: number[]): Random =>
  seededRandom(parts.reduce((mixed, part) => Math.imul(mixed ^ part, 0x9e3779b1) + 1, seed));

export function faultPlan(seed: number): (request: ProxiedRequest) => Fault {
  return (request) => {
    const random = numberOf(seed, request.ordinal);
    if (request.path.startsWith("/api/realtime") && request.method === "GET") {
      return random() < 0.25 ? { kind: "silent" } : { kind: "pass" };
    }
    const stretch = numberOf(seed, 7919, Math.floor(request.ordinal / STRETCH));
    if (stretch() < OUTAGE) {
      return stretch() < 0.5 ? { kind: "portal" } : { kind: "drop-before" };
    }
    return random() < FAULTY ? oneFault(random, request) : { kind: "pass" };
  };
}

/**
 * For the server's own way to a store that is slow, fails and is cut off. What a store answers is its own: no portal
 * stands between the two, and a request is not taken for another.
 */
export function storeFaultPlan(seed: number): (request: ProxiedRequest) => Fault {
  return (request) => {
    const random = numberOf(seed, 15_485_863, request.ordinal);
    const stretch = numberOf(seed, 104_729, Math.floor(request.ordinal / STRETCH));
    if (stretch() < OUTAGE) return { kind: "drop-before" };
    if (random() >= FAULTY) return { kind: "pass" };
    const faults: Fault[] = [
      { kind: "drop-before" },
      { kind: "drop-after" },
      { kind: "drop-after" },
      { kind: "duplicate" },
      { kind: "cut-request", at: Math.floor(random() * Math.max(1, request.bytes)) },
      { kind: "cut-response", at: Math.floor(random() * 200) },
      { kind: "throttle", bytes: 700 },
      { kind: "delay", ms: Math.floor(random() * 400) },
      { kind: "status", status: 502 },
      { kind: "status", status: 503 },
    ];
    return pickOne(random, faults) ?? { kind: "pass" };
  };
}

function oneFault(random: Random, request: ProxiedRequest): Fault {
  const at = Math.floor(random() * Math.max(1, request.bytes));
  const faults: Fault[] = [
    { kind: "drop-before" },
    // The worst of them, and so the most frequent.
    { kind: "drop-after" },
    { kind: "drop-after" },
    { kind: "drop-after" },
    { kind: "duplicate" },
    { kind: "hold" },
    { kind: "cut-request", at },
    { kind: "cut-response", at: Math.floor(random() * 200) },
    { kind: "throttle", bytes: 700 },
    { kind: "delay", ms: Math.floor(random() * 60) },
    { kind: "portal" },
    { kind: "status", status: 429 },
    { kind: "status", status: 502 },
    { kind: "status", status: 503 },
  ];
  // Only the bytes of files carry a checksum.
  if (request.method === "PATCH" && request.path.startsWith("/api/uploads/")) {
    faults.push({ kind: "lose", at, bytes: 1 + Math.floor(random() * 5_000) });
  }
  return pickOne(random, faults) ?? { kind: "pass" };
}
