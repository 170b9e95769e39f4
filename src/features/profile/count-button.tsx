/** A count of the header; it opens a dialog that states it, and for oneself also who they are. */
import { lazy, Suspense, useState } from "react";
import type { ProfileView } from "@/data/shapes";
import { useText } from "@/i18n/use-text";

const CountDialog = lazy(() =>
  import("./count-dialog").then((file) => ({ default: file.CountDialog })),
);

export interface CountProps {
  list: "followers" | "following";
  person: ProfileView;
  isOwn: boolean;
}

export function CountButton(props: CountProps) {
  const { t } = useText();
  const { list, person } = props;
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="w-full rounded-xl hover:bg-surface"
        aria-haspopup="dialog"
        data-testid={`count-${list}`}
        onClick={() => setOpen(true)}
      >
        <Count
          value={person[list]}
          word={t(list === "followers" ? "people.followersWord" : "people.followingWord")}
        />
      </button>
      {open && (
        <Suspense fallback={null}>
          <CountDialog {...props} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

interface CountShown {
  value: number;
  word: string;
  testId?: string;
}

/** A figure over its word; beside it where there is room. */
export function Count({ value, word, testId }: CountShown) {
  const { language } = useText();
  return (
    <span className="flex min-h-13 flex-col items-center justify-center leading-tight md:min-h-11 md:flex-row md:items-baseline md:gap-1.5 md:px-2">
      <strong className="text-[17px] tabular-nums" data-testid={testId}>
        {value.toLocaleString(language)}
      </strong>
      <span className="text-[13.5px] text-muted md:text-[15px]">{word}</span>
    </span>
  );
}
