/** What people ask of a large place (large-place.ts), by how many of a hundred requests each is. */

import type { Place } from "@tests/support/large-place";
import { type SignedIn, signUp } from "@tests/support/pocketbase";
import { pickOne, type Random } from "@tests/support/seeded-random";
import { expect } from "vitest";
import { FIRST_MEDIA_PATH } from "@/data/first-media";

export interface Shot {
  method: string;
  path: string;
  body?: string;
  token?: string;
}

export interface Kind {
  name: string;
  /** Of a hundred. */
  share: number;
  make: () => Shot;
}

/** What one person may do is not what is measured. */
const LIMITS = {
  writesPerMinute: 1_000_000,
  writesPer10Sec: 1_000_000,
  signupsPer10Min: 1_000,
  listRowsPer10Sec: 1_000_000,
};

/** Accounts that write. Addresses are told apart as behind a proxy, too. */
export async function openForMix(place: Place, writers: number): Promise<SignedIn[]> {
  const patch = async (path: string, body: object) => {
    const { status } = await place.server.api("PATCH", path, body, place.superuser);
    expect(status).toBe(200);
  };
  await patch("/api/collections/settings/records/app", { limits: LIMITS });
  await patch("/api/settings", { trustedProxy: { headers: ["X-Real-IP"] } });
  const people: SignedIn[] = [];
  for (let i = 0; i < writers; i++) people.push(await signUp(place.server));
  return people;
}

const records = (name: string, query = "") => `/api/collections/${name}/records${query}`;
const numbered = (prefix: string, i: number) =>
  prefix + String(i).padStart(15 - prefix.length, "0");

/** `head`: where the feed ends, from which a device pulls. */
export function mixOf(
  { users, rows }: Place,
  writers: readonly SignedIn[],
  { head, random }: { head: number; random: Random },
): Kind[] {
  const below = (most: number) => 1 + Math.floor(random() * most);
  const medium = () => numbered("pic", below(rows));
  const get = (path: string): Shot => ({ method: "GET", path });
  const write = (name: string, row: (who: SignedIn) => object): Shot => {
    const who = pickOne(random, writers) as SignedIn;
    const body = JSON.stringify(row(who));
    return { method: "POST", path: records(name), body, token: who.token };
  };
  // From the end of a device's 300 newest media on.
  const window = `mediaFrom=${(1_795_000_000 - 13 * 300) * 1000}&comments=held`;
  const filter = (text: string) => `?perPage=30&filter=${encodeURIComponent(text)}`;
  const mediaOf = (owner: string) => `${filter(`userId='${owner}'`)}&sort=-createdAt,-id`;
  const commentsOn = (id: string) => `${filter(`mediaId='${id}'`)}&sort=-createdAt,-id`;
  const newVisit = () =>
    JSON.stringify({ session: `visit${String(below(1e9)).padStart(15, "0")}` });
  return [
    { name: "first page", share: 50, make: () => get(FIRST_MEDIA_PATH) },
    { name: "pull", share: 15, make: () => get(`/api/sync?since=${head}&${window}`) },
    { name: "medium", share: 5, make: () => get(records("media", `/${medium()}`)) },
    { name: "its comments", share: 5, make: () => get(records("comments", commentsOn(medium()))) },
    {
      name: "profile",
      share: 5,
      make: () => get(records("profiles", filter(`username='person${below(users)}'`))),
    },
    {
      name: "its media",
      share: 5,
      make: () => get(records("media", mediaOf(numbered("user", below(users))))),
    },
    {
      name: "search",
      share: 5,
      make: () => get(`/api/search?q=person${below(users)}&limit=30`),
    },
    {
      name: "like",
      share: 4,
      make: () => write("likes", ({ id }) => ({ mediaId: medium(), userId: id })),
    },
    {
      name: "comment",
      share: 3,
      make: () =>
        write("comments", ({ id }) => ({ mediaId: medium(), userId: id, text: "A word" })),
    },
    {
      name: "view",
      share: 3,
      make: () => ({ method: "POST", path: `/api/media/${medium()}/view`, body: newVisit() }),
    },
  ];
}
