import { ArrowDown } from "lucide-react";
import { useText } from "@/i18n/use-text";

export function NewestButton({ fresh, onPress }: { fresh: boolean; onPress: () => void }) {
  const { t } = useText();
  return (
    <button
      type="button"
      data-testid="newest"
      data-fresh={fresh}
      aria-label={fresh ? undefined : t("chat.toNewest")}
      className={`absolute bottom-3 left-1/2 z-10 flex min-h-11 min-w-11 -translate-x-1/2 items-center justify-center gap-2 rounded-full border px-3 text-sm font-semibold shadow-float animate-rise ${fresh ? "border-transparent bg-accent text-on-accent" : "border-line bg-raised"}`}
      onClick={onPress}
    >
      <ArrowDown className="size-[18px]" aria-hidden="true" />
      {fresh && t("chat.newMessages")}
    </button>
  );
}
