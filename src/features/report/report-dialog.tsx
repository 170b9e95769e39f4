/**
 * Reports a medium, a comment, a message or a person. A second report replaces the reason of the
 * first (data contract).
 */
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { REASON_MAX } from "@/domain/limits";
import { REPORT_TOPICS, type ReportKind, type ReportTopic } from "@/domain/reports";
import { isBlank } from "@/domain/texts";
import type { TextKey } from "@/i18n/keys";
import { type ReportWish, sendReport } from "@/state/reports";
import { useUnsentText } from "@/state/unsent-text";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { TextareaField } from "@/ui/field";

const topicKey = (topic: ReportTopic): TextKey => `report.topic.${topic}`;

const TITLES = {
  media: "report.title",
  comment: "report.comment",
  message: "report.message",
  person: "report.person",
} as const satisfies Record<ReportKind, string>;

export function ReportDialog({ wish, onClose }: { wish: ReportWish; onClose: () => void }) {
  const { t } = useTranslation();
  const [topic, setTopic] = useState<ReportTopic | null>(null);
  const [words, setWords] = useState("");
  const [tried, setTried] = useState(false);
  useUnsentText(!isBlank(words));
  const { kind, name, returnFocus } = wish;
  const missing = isBlank(words) && (topic === null || topic === "other");

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (missing) return;
    const why = { topic: topic ?? "other", said: topic === null ? "" : t(topicKey(topic)), words };
    if (await sendReport(wish, why)) onClose();
  };
  return (
    <Dialog
      title={t(TITLES[kind], { name })}
      description={`${t("report.text")}${kind === "message" ? ` ${t("report.messageText")}` : ""}`}
      onClose={onClose}
      {...(returnFocus && { returnFocus })}
    >
      <form
        className="grid gap-4"
        onSubmit={(event) => void submit(event)}
        data-testid="report-form"
      >
        <fieldset className="grid">
          <legend className="mb-1 text-sm font-semibold">{t("report.reasons")}</legend>
          {REPORT_TOPICS.map((one) => (
            <label key={one} className="target flex items-center gap-3">
              <input
                type="radio"
                name="reason"
                className="size-5 accent-(--accent)"
                checked={topic === one}
                data-testid={`reason-${one}`}
                onChange={() => setTopic(one)}
              />
              {t(topicKey(one))}
            </label>
          ))}
        </fieldset>
        <TextareaField
          label={topic === "other" ? t("report.detailsOther") : t("report.details")}
          error={tried && missing ? t("report.needed") : null}
          value={words}
          maxLength={REASON_MAX}
          className="min-h-20!"
          data-testid="report-details"
          onValue={setWords}
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{t("app.cancel")}</Button>
          <Button type="submit" variant="danger" data-testid="send-report">
            {t("report.open")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
