/** The visual editor of a legal text: ProseMirror, whose document is never wider than what the server keeps. */
import { baseKeymap, toggleMark } from "prosemirror-commands";
import { history, redo, undo } from "prosemirror-history";
import { keymap } from "prosemirror-keymap";
import { liftListItem, sinkListItem, splitListItem } from "prosemirror-schema-list";
import { EditorState } from "prosemirror-state";
import { EditorView } from "prosemirror-view";
import { useEffect, useRef, useState } from "react";
import { htmlOf, legalSchema, parseHtml } from "./rich-schema";
import { RichToolbar } from "./rich-toolbar";

const { nodes, marks } = legalSchema;

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
  /** HTML to start from. Another text needs another `key`. */
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
