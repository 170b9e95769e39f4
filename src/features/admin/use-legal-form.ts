/**
 * One legal text being written: what the server has, what stands in the editor, the draft on this device, and what is to be decided
 * when somebody else has published in between. Nothing typed is ever dropped unasked.
 */
import { useState } from "react";
import type { AdminText } from "@/data/admin/admin-client";
import { SETTINGS_CONTENT_MAX_BYTES } from "@/domain/limits";
import { byteLength } from "@/domain/texts";
import { noteAdminRefusal } from "@/state/admin-access";
import { whenClient } from "@/state/client-store";
import { showToast } from "@/state/toasts";
import {
  type LegalDraft,
  readLegalDraft,
  useUnsentText,
  writeLegalDraft,
} from "@/state/unsent-text";

export type LegalId = "terms" | "privacy";

interface FormState {
  /** What the server said last. */
  seen: AdminText;
  /** What the writing began from. */
  base: { content: string; revision: number };
  content: string;
  /** When a draft was brought back, until it is published or discarded. */
  restoredAt: number | null;
  /** Another one means that the editor begins anew with `content`. */
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

/** The server's text is another than before: taken over where nothing was written, and left to be decided where something was. */
export function withSeen(form: FormState, text: AdminText): FormState {
  if (text.revision === form.seen.revision) return form;
  return form.content === form.base.content ? fresh(text, form.epoch + 1) : { ...form, seen: text };
}

/** `sent` is published, and the server's text is `text` now: what was written meanwhile is written on from there. */
export function withPublished(form: FormState, sent: string, text: AdminText): FormState {
  if (form.content === sent) return fresh(text, form.epoch + 1);
  return { ...form, seen: text, base: text, restoredAt: null };
}

export const hasConflict = (form: FormState): boolean =>
  form.base.revision !== form.seen.revision && form.content !== form.seen.content;

interface LegalFormDeps {
  id: LegalId;
  userId: string;
  text: AdminText;
  reload: () => void;
}

export function useLegalForm({ id, userId, text, reload }: LegalFormDeps) {
  const owner = { id, userId };
  const [form, setForm] = useState(() => startForm(text, readLegalDraft(owner)));
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
    writeLegalDraft(owner, draft);
    setForm({ ...form, content });
    setPhase("idle");
  };
  const save = async (revision: number) => {
    setPhase("saving");
    const client = await whenClient();
    const answer = await client.admin.saveText(id, form.content, revision);
    if (answer.success) {
      const draft = readLegalDraft(owner);
      const isWrittenOn = draft !== null && draft.content !== form.content;
      const { revision: begunFrom } = answer.value;
      writeLegalDraft(owner, isWrittenOn ? { ...draft, revision: begunFrom } : null);
      setForm((now) => withPublished(now, form.content, answer.value));
      showToast({ title: { key: "admin.legal.saved" } });
      setPhase("idle");
    } else {
      noteAdminRefusal(answer.error);
      setPhase(answer.error === "conflict" ? "idle" : "failed");
    }
    // What everybody reads now: after a conflict, the other's text.
    if (answer.success || answer.error === "conflict") reload();
  };
  const discard = () => {
    writeLegalDraft(owner, null);
    setForm(fresh(form.seen, form.epoch + 1));
  };
  return {
    form,
    phase,
    dirty,
    bytes,
    tooLong: bytes > SETTINGS_CONTENT_MAX_BYTES,
    edit,
    /** Publishes against the text that the writing began from; a newer one is a conflict. */
    save: () => save(form.base.revision),
    /** Publishes over the text that is there now. */
    saveOver: () => save(form.seen.revision),
    discard,
  };
}

export type LegalForm = ReturnType<typeof useLegalForm>;
