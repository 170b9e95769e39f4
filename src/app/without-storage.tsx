/** The notice that nothing outlives this page: the browser stores nothing, has no room, or a newer version's data must not be touched. */
import { useText } from "@/i18n/use-text";
import { useStorageState } from "@/state/storage";
import { Button } from "@/ui/button";

export function WithoutStorage() {
  const { t } = useText();
  const state = useStorageState();
  if (state !== "memory" && state !== "newer" && state !== "full") return null;
  return (
    <div role="status" className="border-b border-line bg-surface" data-testid="without-storage">
      <div className="mx-auto flex max-w-[1060px] flex-wrap items-center justify-between gap-2 px-4 py-2 text-sm">
        <p>
          <strong className="block">{t(`storage.${state}`)}</strong>
          {t(`storage.${state}Text`)}
        </p>
        {state !== "memory" && (
          <Button variant="solid" onClick={() => location.reload()}>
            {t("crash.reload")}
          </Button>
        )}
      </div>
    </div>
  );
}
