/** What a device may be woken for, and where a push may go. */

/** In the order of their bits, from 1 on (pb_migrations/1795000360-push.js). */
export const PUSH_KINDS = ["messages", "comments", "likes", "follows"] as const;
export type PushKind = (typeof PUSH_KINDS)[number];

/** @returns null where one of them is no kind */
export function bitsOfKinds(kinds: readonly unknown[]): number | null {
  const places = kinds.map((kind) => PUSH_KINDS.indexOf(kind as PushKind));
  return places.includes(-1) ? null : places.reduce((bits, place) => bits | (1 << place), 0);
}

export const kindsOfBits = (bits: number): PushKind[] =>
  PUSH_KINDS.filter((_, place) => (bits & (1 << place)) !== 0);

/** When a device is left in peace: `22:00` to `07:00`, by the clock of a time zone. */
export interface QuietHours {
  from: string;
  to: string;
  /** Such as `Europe/Berlin` (IANA). */
  zone: string;
}

const CLOCK = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const ZONE = /^[A-Za-z0-9_+-]{1,32}(?:\/[A-Za-z0-9_+-]{1,32}){0,2}$/;

export function isQuietHours(value: unknown): value is QuietHours {
  if (typeof value !== "object" || value === null) return false;
  const { from, to, zone } = value as Partial<Record<keyof QuietHours, unknown>>;
  const texts = [from, to, zone].map((text) => (typeof text === "string" ? text : ""));
  const [first = "", last = "", where = ""] = texts;
  return CLOCK.test(first) && CLOCK.test(last) && first !== last && ZONE.test(where);
}

/**
 * The services of the browsers: hosts, and the end of the hosts of one that has many. An address
 * elsewhere would have our server call any machine.
 */
const SERVICES = ["fcm.googleapis.com", "updates.push.services.mozilla.com", "web.push.apple.com"];
const SERVICE_OF_MANY_HOSTS = /^[a-z0-9-]{1,40}\.notify\.windows\.com$/;
const ENDPOINT_MAX = 1024;

/**
 * Whether a push may be sent there.
 *
 * @param more further origins, such as `https://push.example.org`, which an operator allows
 */
export function isPushEndpoint(endpoint: string, more: readonly string[]): boolean {
  if (endpoint.length > ENDPOINT_MAX || !/^[\x21-\x7e]+$/.test(endpoint)) return false;
  const [, host = ""] = /^https:\/\/([a-z0-9.-]+)\//.exec(endpoint) ?? [];
  const isService = SERVICES.includes(host) || SERVICE_OF_MANY_HOSTS.test(host);
  return isService || more.some((origin) => endpoint.startsWith(`${origin}/`));
}
