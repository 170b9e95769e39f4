import { useText } from "@/i18n/use-text";
import { showToast } from "@/state/toasts";
import { setBlocked } from "@/state/use-people";
import { Button } from "@/ui/button";

export function UnblockButton({ id, name }: { id: string; name: string }) {
  const { t } = useText();
  const unblock = async () => {
    const kept = await setBlocked(id, false);
    if (!kept.success) showToast({ title: { key: "people.actionFailed" }, variant: "destructive" });
  };
  return (
    <Button
      aria-label={t("people.unblockPerson", { name })}
      data-testid="unblock"
      onClick={() => void unblock()}
    >
      {t("people.unblock")}
    </Button>
  );
}
