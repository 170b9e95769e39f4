/** Reports a media item. A second report replaces the reason of the first (data contract). */
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { REASON_MAX } from "@/domain/limits";
import { isBlank } from "@/domain/texts";
import type { TextKey } from "@/i18n/keys";
import { reportMedia } from "@/state/media";
import { useUnsentText } from "@/state/unsent-text";
import { Button } from "@/ui/button";
import { Dialog, type DialogFrame } from "@/ui/dialog";
import { TextareaField } from "@/ui/field";

const REASONS = ["spam", "nudity", "violence", "hate", "stolen", "other"] as const;
type Reason = (typeof REASONS)[number];
const reasonKey = (reason: Reason): TextKey => `report.${reason}`;

export function ReportMedia({ mediaId, ...frame }: DialogFrame & { mediaId: string }) {
  const { t } = useTranslation();
  const [reason, setReason] = useState<Reason | null>(null);
  const [details, setDetails] = useState("");
  const [tried, setTried] = useState(false);
  useUnsentText(!isBlank(details));
  const text = chosenReason(
    reason === null || reason === "other" ? "" : t(reasonKey(reason)),
    details,
  );
  const missing = isBlank(text);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!missing && (await reportMedia(mediaId, text))) frame.onClose();
  };
  return (
    <Dialog {...frame} title={t("report.title")} description={t("report.text")}>
      <form
        className="grid gap-4"
        onSubmit={(event) => void submit(event)}
        data-testid="report-form"
      >
        <fieldset className="grid">
          <legend className="mb-1 text-sm font-semibold">{t("report.reasons")}</legend>
          {REASONS.map((one) => (
            <label key={one} className="target flex items-center gap-3">
              <input
                type="radio"
                name="reason"
                className="size-5 accent-(--accent)"
                checked={reason === one}
                data-testid={`reason-${one}`}
                onChange={() => setReason(one)}
              />
              {t(reasonKey(one))}
            </label>
          ))}
        </fieldset>
        <TextareaField
          label={reason === "other" ? t("report.detailsOther") : t("report.details")}
          error={tried && missing ? t("report.needed") : null}
          value={details}
          maxLength={REASON_MAX - 100}
          className="min-h-20!"
          data-testid="report-details"
          onValue={setDetails}
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={frame.onClose}>{t("app.cancel")}</Button>
          <Button type="submit" variant="danger" data-testid="send-report">
            {t("report.open")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function chosenReason(picked: string, details: string): string {
  return [picked, isBlank(details) ? "" : details.trim()].filter(Boolean).join(": ");
}
