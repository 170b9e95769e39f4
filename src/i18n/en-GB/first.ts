/** "English (all)", part one: `en` but for these. Its dates are written as in Britain. */
import type { EnglishFor } from "@/i18n/keys";

export const enGbFirst: EnglishFor<readonly ["time.date"]> = {
  "time.date": "{{day}} $t(time.month{{month}}) {{year}}",
  "time.month9": "Sept",
};
