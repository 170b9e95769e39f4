/** Tags and people of the last seven days, by the server; without it the tags of the media here. */
import { isRecord, toFailure } from "@/data/engine/answers";
import { writeRecords } from "@/data/engine/apply";
import type { Scope, Shared } from "@/data/engine/context";
import { textOf } from "@/data/engine/rows";
import type { SearchIndex } from "@/data/media/search-index";
import { ok, type Result } from "@/domain/result";
import { offerTags } from "./offer-tags";

/** What the place talks about: of the last seven days, counted by the server. */
export interface Week {
  /** Whether the server was not there: then the tags are those of the media on this device. */
  isHere: boolean;
  /** Each as its newest medium has it, and how many people put it on theirs; 0 is unknown. */
  tags: { tag: string; people: number }[];
  /** Ids of people whose media most others liked. */
  people: string[];
}

/** The people's profiles are here then. */
export async function pullWeek(
  { remote }: Shared,
  scope: Scope,
  index: SearchIndex,
): Promise<Result<Week>> {
  const answer = await remote.request("/api/explore");
  if (answer.kind !== "accepted") {
    const failure = toFailure(answer);
    if (failure.error !== "network") return failure;
    await index.load();
    const tags = await offerTags(scope, index, "");
    return ok({ isHere: true, tags: tags.map((tag) => ({ tag, people: 0 })), people: [] });
  }
  const { tags, people } = isRecord(answer.body) ? answer.body : {};
  const profiles = recordsOf(people);
  await writeRecords(scope.replica, "profiles", profiles);
  return ok({
    isHere: false,
    tags: recordsOf(tags).map((one) => ({
      tag: textOf(one, "tag"),
      people: Number(one["people"]),
    })),
    people: profiles.map((record) => textOf(record, "id")),
  });
}

const recordsOf = (list: unknown) => (Array.isArray(list) ? list.filter(isRecord) : []);
