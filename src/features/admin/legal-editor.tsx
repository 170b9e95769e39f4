/** Terms of Service and Privacy Policy: written here, kept as a draft on this device, published to everybody. */
import { useState } from "react";
import { Link } from "react-router-dom";
import type { AdminText } from "@/data/admin/admin-client";
import { SETTINGS_CONTENT_MAX_BYTES } from "@/domain/limits";
import { paths } from "@/domain/paths";
import { useText } from "@/i18n/use-text";
import { dateText, whenText } from "@/i18n/when";
import { useNow } from "@/state/page";
import { useQuery } from "@/state/use-query";
import { AlertDialog } from "@/ui/alert-dialog";
import { Button } from "@/ui/button";
import { Chips } from "@/ui/chips";
import { Textarea } from "@/ui/input";
import { RichText } from "@/ui/rich-text";
import { AskedView, RowsLoading } from "./asked-view";
import { LegalConflict } from "./legal-conflict";
import { RichEditor } from "./rich-editor";
import { canHold } from "./rich-schema";
import { hasConflict, type LegalForm, type LegalId, useLegalForm } from "./use-legal-form";

export function LegalEditor({ id, userId }: { id: LegalId; userId: string }) {
  const asking = useQuery(`legal ${id}`, (client) => client.admin.text(id));
  return (
    <AskedView asked={asking.now} onRetry={asking.reload} loading={<RowsLoading height="h-24" />}>
      {(text) => <LegalWriting id={id} userId={userId} text={text} reload={asking.reload} />}
    </AskedView>
  );
}

interface LegalWritingProps {
  id: LegalId;
  userId: string;
  text: AdminText;
  reload: () => void;
}

function LegalWriting(props: LegalWritingProps) {
  const { t, say } = useText();
  const legal = useLegalForm(props);
  const { lastUpdated } = props.text;
  return (
    <section data-testid={`legal-editor-${props.id}`} className="grid gap-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="text-xl font-bold">{t(`admin.settings.${props.id}`)}</h2>
        <p className="text-sm text-muted">
          {lastUpdated === null
            ? t("admin.legal.never")
            : t("admin.legal.updated", { date: say(dateText(lastUpdated)) })}
        </p>
      </div>
      {hasConflict(legal.form) && <LegalConflict legal={legal} />}
      {legal.form.restoredAt !== null && <Restored at={legal.form.restoredAt} />}
      <LegalBody id={props.id} legal={legal} />
      <LegalActions id={props.id} legal={legal} />
    </section>
  );
}

function Restored({ at }: { at: number }) {
  const { t, say } = useText();
  const when = say(whenText(at, useNow()));
  return (
    <p role="status" data-testid="draft-restored" className="rounded-2xl bg-surface px-4 py-3">
      {t("admin.legal.draftRestored", { when })}
    </p>
  );
}

type Mode = "write" | "html" | "preview";

function LegalBody({ id, legal }: { id: LegalId; legal: LegalForm }) {
  const { t } = useText();
  const { content, epoch } = legal.form;
  const [wanted, setMode] = useState<Mode>("write");
  const visual = canHold(content);
  const mode = wanted === "write" && !visual ? "html" : wanted;
  const modes = (["write", "html", "preview"] as const).filter(
    (each) => visual || each !== "write",
  );
  const label = t(`admin.settings.${id}`);
  return (
    <>
      <Chips
        label={t("admin.legal.mode")}
        value={mode}
        testId="legal-mode"
        options={modes.map((value) => ({ value, text: t(`admin.legal.${value}`) }))}
        onChange={setMode}
      />
      {!visual && <p className="text-sm text-muted">{t("admin.legal.tables")}</p>}
      {mode === "write" && (
        <RichEditor key={epoch} html={content} label={label} onChange={legal.edit} />
      )}
      {mode === "html" && (
        <Textarea
          aria-label={t("admin.legal.htmlLabel")}
          className="min-h-80 font-mono text-[14px]"
          spellCheck={false}
          value={content}
          data-testid="legal-html"
          onChange={(event) => legal.edit(event.target.value)}
        />
      )}
      {mode === "preview" && (
        <div className="grid gap-3">
          <p className="text-sm text-muted">{t("admin.legal.previewText")}</p>
          <div
            data-testid="legal-preview"
            className="rounded-xl border border-line bg-raised px-4 py-2"
          >
            <RichText html={content} />
          </div>
        </div>
      )}
    </>
  );
}

const kilobytes = (bytes: number): string => (bytes / 1024).toFixed(1);

function LegalActions({ id, legal }: { id: LegalId; legal: LegalForm }) {
  const { t } = useText();
  const [asking, setAsking] = useState(false);
  const most = SETTINGS_CONTENT_MAX_BYTES / 1024;
  const blocked = !legal.dirty || legal.tooLong || legal.phase === "saving";
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <Button
          variant="accent"
          disabled={blocked || hasConflict(legal.form)}
          data-testid="legal-save"
          onClick={() => void legal.save()}
        >
          {t(legal.phase === "saving" ? "admin.legal.saving" : "admin.legal.save")}
        </Button>
        {legal.dirty && (
          <Button variant="ghost" data-testid="legal-discard" onClick={() => setAsking(true)}>
            {t("admin.legal.discard")}
          </Button>
        )}
        <Link to={paths[id]} className="target flex items-center px-3 text-link underline">
          {t("admin.legal.view")}
        </Link>
        <span className="ml-auto text-sm text-muted tabular-nums" data-testid="legal-state">
          {t(legal.dirty ? "admin.legal.draftKept" : "admin.legal.unchanged")}
          {" · "}
          {t("admin.legal.size", { used: kilobytes(legal.bytes), most })}
        </span>
      </div>
      <p role="alert" className="text-[13.5px] font-medium text-danger empty:hidden">
        {legal.tooLong ? t("admin.legal.tooLong", { most }) : ""}
        {legal.phase === "failed" ? t("admin.legal.saveFailed") : ""}
      </p>
      <AlertDialog
        open={asking}
        onOpenChange={setAsking}
        title={t("admin.legal.discardTitle")}
        description={t("admin.legal.discardText")}
        cancel={t("app.cancel")}
        action={t("admin.legal.discard")}
        onAction={legal.discard}
      />
    </>
  );
}
