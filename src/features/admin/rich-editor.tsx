/** The visual editor of a legal text: ProseMirror with its toolbar. */
import { Link2 } from "lucide-react";
import { baseKeymap, toggleMark } from "prosemirror-commands";
import { history, redo, undo } from "prosemirror-history";
import { keymap } from "prosemirror-keymap";
import { liftListItem, sinkListItem, splitListItem } from "prosemirror-schema-list";
import { EditorState } from "prosemirror-state";
import { EditorView } from "prosemirror-view";
import { Toolbar } from "radix-ui";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { isSafeLink } from "@/domain/paths";
import { pageDirection } from "@/lib/page-direction";
import { Button } from "@/ui/button";
import { cn } from "@/ui/cn";
import { Dialog } from "@/ui/dialog";
import { TextField } from "@/ui/field";
import {
  hasMark,
  htmlOf,
  legalSchema,
  parseHtml,
  TOOL_GROUPS,
  TOOLS,
  type ToolId,
} from "./rich-schema";

const { nodes, marks } = legalSchema;
const { link } = marks;

const KEYS = {
  "Mod-z": undo,
  "Mod-y": redo,
  "Shift-Mod-z": redo,
  "Mod-b": toggleMark(marks.strong),
  "Mod-i": toggleMark(marks.em),
  "Mod-u": toggleMark(marks.underline),
  Enter: splitListItem(nodes.list_item),
  "Mod-[": liftListItem(nodes.list_item),
  "Mod-]": sinkListItem(nodes.list_item),
};

const startState = (html: string): EditorState =>
  EditorState.create({
    doc: parseHtml(html),
    plugins: [history(), keymap(KEYS), keymap(baseKeymap)],
  });

interface RichEditorProps {
  /** The initial HTML. Another text needs another `key`. */
  html: string;
  label: string;
  onChange: (html: string) => void;
}

export function RichEditor({ html, label, onChange }: RichEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const first = useRef(html);
  const tell = useRef(onChange);
  tell.current = onChange;
  const [editor, setEditor] = useState<{ view: EditorView; state: EditorState } | null>(null);
  // Outside: ProseMirror owns the editable element.
  useEffect(() => {
    const view = new EditorView(place.current, {
      state: startState(first.current),
      attributes: {
        class: "rich-text min-h-64 px-4 py-2 whitespace-break-spaces outline-none md:min-h-96",
        role: "textbox",
        "aria-multiline": "true",
        "aria-label": label,
        "data-testid": "rich-editor",
      },
      dispatchTransaction(transaction) {
        const state = view.state.apply(transaction);
        view.updateState(state);
        setEditor({ view, state });
        if (transaction.docChanged) tell.current(htmlOf(state.doc));
      },
    });
    setEditor({ view, state: view.state });
    return () => view.destroy();
  }, [label]);
  return (
    <div className="rounded-xl border border-line-strong bg-raised focus-within:outline-[2.5px] focus-within:outline-offset-2 focus-within:outline-(--focus)">
      {editor !== null && <RichToolbar view={editor.view} state={editor.state} />}
      <div ref={place} />
    </div>
  );
}

const TOOL_BUTTON =
  "grid size-11 shrink-0 place-items-center rounded-xl hover:bg-raised aria-pressed:bg-foreground aria-pressed:text-background disabled:opacity-40 [&_svg]:size-[18px]";

type RichToolbarProps = { view: EditorView; state: EditorState };

/** Arrow keys move within the toolbar, and each button says whether it is active. */
function RichToolbar({ view, state }: RichToolbarProps) {
  const { t } = useTranslation();
  const [linking, setLinking] = useState(false);
  return (
    <>
      <Toolbar.Root
        dir={pageDirection()}
        aria-label={t("admin.editor.toolbar")}
        className="sticky top-14 z-10 flex flex-wrap items-center gap-x-1 rounded-t-xl border-b border-line-strong bg-surface p-1 md:top-16"
      >
        {TOOL_GROUPS.map((group, index) => (
          <div
            key={group[0]}
            className={cn("flex", index > 0 && "md:border-s md:border-line md:ps-1")}
          >
            {group.map((id) => (
              <ToolButton key={id} id={id} view={view} state={state} />
            ))}
          </div>
        ))}
        <Toolbar.Button
          className={TOOL_BUTTON}
          aria-label={t("admin.editor.link")}
          title={t("admin.editor.link")}
          aria-pressed={hasMark(state, link)}
          data-testid="tool-link"
          onClick={() => setLinking(true)}
        >
          <Link2 aria-hidden="true" />
        </Toolbar.Button>
      </Toolbar.Root>
      {linking && <LinkDialog view={view} state={state} onClose={() => setLinking(false)} />}
    </>
  );
}

function ToolButton({ id, view, state }: { id: ToolId } & RichToolbarProps) {
  const { t } = useTranslation();
  const { Icon, run, isOn } = TOOLS[id];
  const label = t(`admin.editor.${id}`);
  return (
    <Toolbar.Button
      className={TOOL_BUTTON}
      aria-label={label}
      title={label}
      data-testid={`tool-${id}`}
      disabled={!run(state)}
      aria-pressed={isOn?.(state)}
      // The click must not clear the selection in the text.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => {
        run(view.state, view.dispatch, view);
        view.focus();
      }}
    >
      <Icon aria-hidden="true" />
    </Toolbar.Button>
  );
}

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

type LinkDialogProps = RichToolbarProps & { onClose: () => void };

function LinkDialog({ view, state, onClose }: LinkDialogProps) {
  const { t } = useTranslation();
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
    <Dialog onClose={onClose} title={t("admin.editor.link")}>
      <form className="grid gap-4" onSubmit={submit} noValidate>
        <TextField
          label={t("admin.editor.linkAddress")}
          hint={t("admin.editor.linkHint")}
          error={faulty ? t("admin.editor.linkFault") : null}
          type="url"
          inputMode="url"
          autoComplete="off"
          data-testid="link-address"
          value={href}
          onValue={setHref}
        />
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
