/** Asks where the selected words shall lead. Empty takes a link away. */
import type { EditorState } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { type FormEvent, useState } from "react";
import { isSafeLink } from "@/domain/paths";
import { useText } from "@/i18n/use-text";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Field } from "@/ui/field";
import { Input } from "@/ui/input";
import { legalSchema } from "./rich-schema";

const { link } = legalSchema.marks;

/** The link under the selection, or "". */
function linkAt(state: EditorState): string {
  const { $from, from, to, empty } = state.selection;
  const mark = link.isInSet($from.marks());
  if (mark !== undefined || empty) return (mark?.attrs["href"] as string | undefined) ?? "";
  let found = "";
  state.doc.nodesBetween(from, to, (node) => {
    found ||= (link.isInSet(node.marks)?.attrs["href"] as string | undefined) ?? "";
  });
  return found;
}

/** Puts `href` on the selection, or on its own address where nothing is selected; "" takes links off. */
function setLink(view: EditorView, href: string): void {
  const { state } = view;
  const { $from, from, to, empty } = state.selection;
  if (href === "") {
    const [start, end] = empty ? [$from.start(), $from.end()] : [from, to];
    view.dispatch(state.tr.removeMark(start, end, link));
    return;
  }
  const mark = link.create({ href });
  const tr = empty
    ? state.tr.insert(from, legalSchema.text(href, [mark]))
    : state.tr.addMark(from, to, mark);
  view.dispatch(tr.scrollIntoView());
}

interface LinkDialogProps {
  view: EditorView;
  state: EditorState;
  onClose: () => void;
}

export function LinkDialog({ view, state, onClose }: LinkDialogProps) {
  const { t } = useText();
  const [href, setHref] = useState(() => linkAt(state));
  const [faulty, setFaulty] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wanted = href.trim();
    if (wanted !== "" && !isSafeLink(wanted)) return setFaulty(true);
    setLink(view, wanted);
    onClose();
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={t("admin.editor.link")}>
      <form className="grid gap-4" onSubmit={submit} noValidate>
        <Field
          label={t("admin.editor.linkAddress")}
          hint={t("admin.editor.linkHint")}
          error={faulty ? t("admin.editor.linkFault") : null}
        >
          {(control) => (
            <Input
              {...control}
              type="url"
              inputMode="url"
              autoComplete="off"
              value={href}
              data-testid="link-address"
              onChange={(event) => setHref(event.target.value)}
            />
          )}
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("app.cancel")}</Button>
          <Button type="submit" variant="solid" data-testid="link-set">
            {t("admin.editor.linkSet")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
