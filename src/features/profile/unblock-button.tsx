import { useText } from "@/i18n/use-text";
import { setBlocked } from "@/state/people";
import { Button } from "@/ui/button";

export function UnblockButton({ id, name }: { id: string; name: string }) {
  const { t } = useText();
  return (
    <Button
      aria-label={t("people.unblockPerson", { name })}
      data-testid="unblock"
      onClick={() => void setBlocked(id, false)}
    >
      {t("people.unblock")}
    </Button>
  );
}
