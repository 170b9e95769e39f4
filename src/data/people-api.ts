/** What the client tells about people. Types only. */
import type { Found, Live, Loaded, ProfileView } from "./client-api";

/** How the signed-in person stands to another, with what is queued on top. */
export interface Relation {
  following: boolean;
  /** The signed-in person blocked the other; never the other way round, which nobody may know. */
  blocked: boolean;
}

/** One of a list. `asking`: this device does not know the name yet; `unknown`: nor does the server, or it cannot be asked. */
export type PersonView = { id: string } & (
  | { state: "known"; username: string; thumbnailUrl: string }
  | { state: "asking" }
  | { state: "unknown" }
);

/** Lists of one's own; of others only the counts are known. */
export type PeopleList = "followers" | "following" | "blocked";

export interface PeoplePage {
  /** Newest first, at most as many as asked for. */
  items: PersonView[];
  total: number;
}

export interface PeopleReads {
  watchProfile(userId: string): Live<Found<ProfileView>>;
  /** By the name in an address, whatever its case. */
  watchProfileByName(username: string): Live<Found<ProfileView>>;
  /** Ready with nothing for visitors. */
  watchRelation(userId: string): Live<Loaded<Relation>>;
  watchPeople(list: PeopleList, limit: number): Live<Loaded<PeoplePage>>;
  /** Messages of this person's that the signed-in one has not read. */
  watchUnreadFrom(userId: string): Live<number>;
}
