/** Tags that begin as what somebody has written of one, of the media on this device. */
import type { Scope } from "@/data/engine/context";
import { TAG_MAX } from "@/domain/limits";
import { foldText } from "@/domain/search-terms";
import { isOneWord, tagsIn, tagsOfMedium } from "@/domain/words";
import type { SearchIndex } from "./search-index";

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
  const words = most.flatMap(({ tag, newest }) => {
    const row = rows.get(newest);
    const one = row && tagsOfMedium(row).find((each) => each.tag === tag);
    return one !== undefined && isOneWord(one.written) ? [one.written] : [];
  });
  return [...new Set(words)];
}

interface Found {
  /** Without case and accents. */
  tag: string;
  count: number;
  /** Id of the newest medium that has it. */
  newest: string;
}

/** In texts for the search tags stand behind `#`, those of the caption among its words. */
function countTags(index: SearchIndex, beginning: string): Map<string, Found> {
  const found = new Map<string, Found>();
  const wanted = `#${beginning}`;
  for (const { id, text } of index.media()) {
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
      const tag = tagsIn(text.slice(at, at + 2 * TAG_MAX))[0]?.word ?? "";
      const known = found.get(tag);
      if (known === undefined) found.set(tag, { tag, count: 1, newest: id });
      else known.count += 1;
    }
  }
  return found;
}
