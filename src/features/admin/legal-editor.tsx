/** Terms and privacy policy: edited here, kept as a draft on this device, then published. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import type { AdminText } from "@/data/admin/admin-client";
import { SETTINGS_CONTENT_MAX_BYTES } from "@/domain/limits";
import { paths } from "@/domain/paths";
import { byteLength } from "@/domain/texts";
import { dateText } from "@/i18n/formats";
import { plain } from "@/i18n/say";
import { noteAdminRefusal } from "@/state/admin-access";
import { whenClient } from "@/state/client-store";
import { showToast } from "@/state/toasts";
import { type LegalDraft, legalDraft, useUnsentText } from "@/state/unsent-text";
import { useQuery } from "@/state/use-query";
import { useAsk } from "@/ui/ask-first";
import { Button } from "@/ui/button";
import { Chips } from "@/ui/chips";
import { Textarea } from "@/ui/field";
import { RichText } from "@/ui/rich-text";
import { dateTimeText, QueryView, RowsLoading } from "./admin-parts";
import { RichEditor } from "./rich-editor";
import { canHold } from "./rich-schema";

export function LegalEditor({ id, userId }: { id: LegalId; userId: string }) {
  const asking = useQuery(`legal ${id}`, (client) => client.admin.text(id));
  return (
    <QueryView query={asking} loading={<RowsLoading row="h-24 w-full" />}>
      {(text) => <LegalWriting id={id} userId={userId} text={text} reload={asking.reload} />}
    </QueryView>
  );
}

type LegalWritingProps = { id: LegalId; userId: string; text: AdminText; reload: () => void };

function LegalWriting(props: LegalWritingProps) {
  const { t, i18n } = useTranslation();
  const legal = useLegalForm(props);
  const { restoredAt } = legal.form;
  const { lastUpdated } = props.text;
  return (
    <section data-testid={`legal-editor-${props.id}`} className="grid gap-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="text-xl font-bold">{t(`admin.settings.${props.id}`)}</h2>
        <p className="text-sm text-muted">
          {lastUpdated === null
            ? t("admin.legal.never")
            : t("legal.updated", { date: plain(t, dateText(lastUpdated)) })}
        </p>
      </div>
      {hasConflict(legal.form) && <LegalConflict legal={legal} />}
      {restoredAt !== null && (
        <p role="status" data-testid="draft-restored" className="rounded-2xl bg-surface px-4 py-3">
          {t("admin.legal.draftRestored", { when: dateTimeText(restoredAt, i18n.language) })}
        </p>
      )}
      <LegalBody id={props.id} legal={legal} />
      <LegalActions id={props.id} legal={legal} />
    </section>
  );
}

type Mode = "write" | "html" | "preview";

function LegalBody({ id, legal }: { id: LegalId; legal: LegalForm }) {
  const { t } = useTranslation();
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
          className="min-h-80 font-mono text-[0.875rem]"
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
  const { t } = useTranslation();
  const { ask, dialog } = useAsk();
  const most = SETTINGS_CONTENT_MAX_BYTES / 1024;
  const blocked = !legal.dirty || legal.tooLong || legal.phase === "saving";
  const askToDiscard = () =>
    ask({
      title: t("admin.legal.discardTitle"),
      description: t("admin.legal.discardText"),
      action: t("admin.legal.discard"),
      onAction: legal.discard,
    });
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
          <Button variant="ghost" data-testid="legal-discard" onClick={askToDiscard}>
            {t("admin.legal.discard")}
          </Button>
        )}
        <Link to={paths[id]} className="target flex items-center px-3 text-link underline">
          {t("admin.legal.view")}
        </Link>
        <span className="ms-auto text-sm text-muted tabular-nums" data-testid="legal-state">
          {t(legal.dirty ? "admin.legal.draftKept" : "admin.legal.unchanged")}
          {" · "}
          {t("admin.legal.size", { used: kilobytes(legal.bytes), most })}
        </span>
      </div>
      <p role="alert" className="text-[0.84375rem] font-medium text-danger empty:hidden">
        {legal.tooLong ? t("admin.legal.tooLong", { most }) : ""}
        {legal.phase === "failed" ? t("admin.legal.saveFailed") : ""}
      </p>
      {dialog}
    </>
  );
}

type LegalId = "terms" | "privacy";

interface FormState {
  seen: AdminText;
  base: { content: string; revision: number };
  content: string;
  /** The time of a restored draft, until it is published or discarded. */
  restoredAt: number | null;
  /** A new key makes the editor start over with `content`. */
  epoch: number;
}

const fresh = (text: AdminText, epoch: number): FormState => ({
  seen: text,
  base: text,
  content: text.content,
  restoredAt: null,
  epoch,
});

export function startForm(text: AdminText, draft: LegalDraft | null): FormState {
  if (draft === null || draft.content === text.content) return fresh(text, 0);
  const base = { content: text.content, revision: draft.revision };
  return { ...fresh(text, 0), base, content: draft.content, restoredAt: draft.at };
}

/** The server's text has changed: replaces an unedited text, is a conflict for an edited one. */
export function withSeen(form: FormState, text: AdminText): FormState {
  if (text.revision === form.seen.revision) return form;
  return form.content === form.base.content ? fresh(text, form.epoch + 1) : { ...form, seen: text };
}

/** `sent` has been published and the server's text is `text`: later edits are based on it. */
export function withPublished(form: FormState, sent: string, text: AdminText): FormState {
  if (form.content === sent) return fresh(text, form.epoch + 1);
  return { ...form, seen: text, base: text, restoredAt: null };
}

export const hasConflict = (form: FormState): boolean =>
  form.base.revision !== form.seen.revision && form.content !== form.seen.content;

/** One legal text being edited. Nothing typed is ever discarded without asking. */
function useLegalForm({ id, userId, text, reload }: LegalWritingProps) {
  const stored = legalDraft(id, userId);
  const [form, setForm] = useState(() => startForm(text, stored.read()));
  const [phase, setPhase] = useState<"idle" | "saving" | "failed">("idle");
  const [given, setGiven] = useState(text);
  if (text !== given) {
    setGiven(text);
    setForm(withSeen(form, text));
  }
  const dirty = form.content !== form.base.content;
  const bytes = byteLength(form.content);
  useUnsentText(dirty);

  const edit = (content: string) => {
    const { revision } = form.base;
    const draft = content === form.base.content ? null : { content, revision, at: Date.now() };
    stored.write(draft);
    setForm({ ...form, content });
    setPhase("idle");
  };
  const save = async (revision: number) => {
    setPhase("saving");
    const client = await whenClient();
    const answer = await client.admin.saveText(id, form.content, revision);
    if (answer.success) {
      const draft = stored.read();
      const isWrittenOn = draft !== null && draft.content !== form.content;
      const { revision: begunFrom } = answer.value;
      stored.write(isWrittenOn ? { ...draft, revision: begunFrom } : null);
      setForm((now) => withPublished(now, form.content, answer.value));
      showToast({ title: { key: "admin.legal.saved" } });
      setPhase("idle");
    } else {
      noteAdminRefusal(answer.error);
      setPhase(answer.error === "conflict" ? "idle" : "failed");
    }
    // The text that is public: after a conflict, the other person's.
    if (answer.success || answer.error === "conflict") reload();
  };
  const discard = () => {
    stored.write(null);
    setForm(fresh(form.seen, form.epoch + 1));
  };
  return {
    form,
    phase,
    dirty,
    bytes,
    tooLong: bytes > SETTINGS_CONTENT_MAX_BYTES,
    edit,
    /** Publishes against the version that the editing is based on; a newer one is a conflict. */
    save: () => save(form.base.revision),
    saveOver: () => save(form.seen.revision),
    discard,
  };
}

type LegalForm = ReturnType<typeof useLegalForm>;

function LegalConflict({ legal }: { legal: LegalForm }) {
  const { t } = useTranslation();
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
