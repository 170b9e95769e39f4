/** Tags that begin as what somebody has written of one, of the media on this device. */
import type { Scope } from "@/data/engine/context";
import type { SearchIndex } from "@/data/media/search-index";
import { foldText } from "@/domain/search-terms";
import { isOneWord, tagsOfMedium } from "@/domain/words";

const MOST = 6;

/** The most frequent first, each as it is written in the newest medium that has it. */
export async function offerTags(
  { replica }: Pick<Scope, "replica">,
  index: SearchIndex,
  beginning: string,
): Promise<string[]> {
  const found = countTags(index, foldText(beginning));
  const most = [...found.values()].sort((a, b) => b.count - a.count).slice(0, MOST);
  const rows = await replica.media.findByIds(most.map(({ newest }) => newest)).exec();
  return most.flatMap(({ tag, newest }) => {
    const row = rows.get(newest);
    const one = row && tagsOfMedium(row).find((each) => each.tag === tag);
    return one === undefined ? [] : [one.written];
  });
}

interface Found {
  /** Without case and accents. */
  tag: string;
  count: number;
  /** Id of the newest medium that has it. */
  newest: string;
}

function countTags(index: SearchIndex, beginning: string): Map<string, Found> {
  const found = new Map<string, Found>();
  for (const { id, tags } of index.media()) {
    for (const tag of tags) {
      if (!tag.startsWith(beginning) || !isOneWord(tag)) continue;
      const known = found.get(tag);
      if (known === undefined) found.set(tag, { tag, count: 1, newest: id });
      else known.count += 1;
    }
  }
  return found;
}
