/** Somebody else has published the text that is being written here: shown at once, decided by the person. */
import { useState } from "react";
import { useText } from "@/i18n/use-text";
import { Button } from "@/ui/button";
import { RichText } from "@/ui/rich-text";
import type { LegalForm } from "./use-legal-form";

export function LegalConflict({ legal }: { legal: LegalForm }) {
  const { t } = useText();
  const [shown, setShown] = useState(false);
  const busy = legal.phase === "saving";
  return (
    <div
      role="alert"
      data-testid="legal-conflict"
      className="grid gap-3 rounded-2xl border border-danger bg-surface p-4"
    >
      <div>
        <p className="font-semibold">{t("admin.legal.conflictTitle")}</p>
        <p className="mt-1 text-sm text-muted">{t("admin.legal.conflictText")}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button aria-expanded={shown} data-testid="conflict-show" onClick={() => setShown(!shown)}>
          {t("admin.legal.showTheirs")}
        </Button>
        <Button
          variant="solid"
          disabled={busy || legal.tooLong}
          data-testid="conflict-mine"
          onClick={() => void legal.saveOver()}
        >
          {t("admin.legal.keepMine")}
        </Button>
        <Button disabled={busy} data-testid="conflict-theirs" onClick={legal.discard}>
          {t("admin.legal.takeTheirs")}
        </Button>
      </div>
      {shown && (
        <section
          aria-label={t("admin.legal.theirs")}
          className="max-h-80 overflow-auto rounded-xl border border-line bg-raised px-4 py-2"
          data-testid="legal-theirs"
        >
          <RichText html={legal.form.seen.content} />
        </section>
      )}
    </div>
  );
}
