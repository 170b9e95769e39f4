/**
 * What a legal text may contain in the visual editor, the conversion from and to HTML, and the
 * toolbar's commands. The server's allow-list also has tables.
 */
import { lift, setBlockType, toggleMark, wrapIn } from "prosemirror-commands";
import { redo, undo } from "prosemirror-history";
import {
  DOMSerializer,
  DOMParser as DocumentParser,
  type MarkSpec,
  type MarkType,
  type Node,
  type NodeType,
  Schema,
} from "prosemirror-model";
import { marks, nodes } from "prosemirror-schema-basic";
import {
  bulletList,
  liftListItem,
  listItem,
  orderedList,
  wrapInList,
} from "prosemirror-schema-list";
import type { Command, EditorState } from "prosemirror-state";
import { isSafeLink } from "@/domain/paths";
import type { TextKey } from "@/i18n/keys";

const link: MarkSpec = {
  attrs: { href: { validate: "string" } },
  inclusive: false,
  parseDOM: [
    {
      tag: "a[href]",
      getAttrs: (element) => {
        const href = element.getAttribute("href") ?? "";
        return isSafeLink(href) ? { href } : false;
      },
    },
  ],
  toDOM: (mark) => ["a", { href: mark.attrs["href"] as string }, 0],
};
const underline: MarkSpec = { parseDOM: [{ tag: "u" }], toDOM: () => ["u", 0] };
const strike: MarkSpec = { parseDOM: [{ tag: "s" }, { tag: "del" }], toDOM: () => ["s", 0] };

export const legalSchema = new Schema({
  nodes: {
    doc: nodes.doc,
    paragraph: nodes.paragraph,
    blockquote: nodes.blockquote,
    horizontal_rule: nodes.horizontal_rule,
    heading: nodes.heading,
    code_block: nodes.code_block,
    text: nodes.text,
    hard_break: nodes.hard_break,
    ordered_list: { ...orderedList, content: "list_item+", group: "block" },
    bullet_list: { ...bulletList, content: "list_item+", group: "block" },
    list_item: { ...listItem, content: "paragraph block*" },
  },
  marks: { link, em: marks.em, strong: marks.strong, underline, strike, code: marks.code },
});

const documentOf = (html: string): Document => new DOMParser().parseFromString(html, "text/html");

/** Whether the visual editor preserves all of `html`. */
export const canHold = (html: string): boolean => documentOf(html).querySelector("table") === null;

export const parseHtml = (html: string): Node =>
  DocumentParser.fromSchema(legalSchema).parse(documentOf(html).body);

/** "" for a text without visible content. */
export function htmlOf(doc: Node): string {
  if (doc.textContent.trim() === "" && doc.childCount <= 1) return "";
  const holder = document.createElement("div");
  holder.append(DOMSerializer.fromSchema(legalSchema).serializeFragment(doc.content));
  return holder.innerHTML;
}

const { nodes: nodeTypes, marks: markTypes } = legalSchema;

export type ToolId =
  | "undo"
  | "redo"
  | "heading2"
  | "heading3"
  | "bold"
  | "italic"
  | "underline"
  | "strike"
  | "bullets"
  | "numbers"
  | "quote"
  | "rule";

export interface Tool {
  id: ToolId;
  label: TextKey;
  run: Command;
  /** Whether it is active at the cursor; absent for one-off commands. */
  isOn?: (state: EditorState) => boolean;
}

export function hasMark(state: EditorState, mark: MarkType): boolean {
  const { from, to, empty, $from } = state.selection;
  if (!empty) return state.doc.rangeHasMark(from, to, mark);
  return mark.isInSet(state.storedMarks ?? $from.marks()) !== undefined;
}

function isInside(state: EditorState, type: NodeType, attrs: Record<string, unknown> = {}) {
  const { $from } = state.selection;
  for (let depth = $from.depth; depth > 0; depth--) {
    const node = $from.node(depth);
    if (node.type !== type) continue;
    return Object.entries(attrs).every(([name, value]) => node.attrs[name] === value);
  }
  return false;
}

const markTool = (id: ToolId, label: TextKey, mark: MarkType): Tool => ({
  id,
  label,
  run: toggleMark(mark),
  isOn: (state) => hasMark(state, mark),
});

function headingTool(id: ToolId, label: TextKey, level: number): Tool {
  const isOn = (state: EditorState) => isInside(state, nodeTypes.heading, { level });
  return {
    id,
    label,
    isOn,
    run: (state, dispatch) =>
      isOn(state)
        ? setBlockType(nodeTypes.paragraph)(state, dispatch)
        : setBlockType(nodeTypes.heading, { level })(state, dispatch),
  };
}

function listTool(id: ToolId, label: TextKey, list: NodeType): Tool {
  const isOn = (state: EditorState) => isInside(state, list);
  return {
    id,
    label,
    isOn,
    run: (state, dispatch) =>
      isOn(state)
        ? liftListItem(legalSchema.nodes.list_item)(state, dispatch)
        : wrapInList(list)(state, dispatch),
  };
}

const quoteTool: Tool = {
  id: "quote",
  label: "admin.editor.quote",
  isOn: (state) => isInside(state, nodeTypes.blockquote),
  run: (state, dispatch) =>
    isInside(state, nodeTypes.blockquote)
      ? lift(state, dispatch)
      : wrapIn(nodeTypes.blockquote)(state, dispatch),
};

const ruleTool: Tool = {
  id: "rule",
  label: "admin.editor.rule",
  run: (state, dispatch) => {
    dispatch?.(state.tr.replaceSelectionWith(nodeTypes.horizontal_rule.create()).scrollIntoView());
    return true;
  },
};

/** Grouped as in the toolbar. */
export const TOOLS: readonly (readonly Tool[])[] = [
  [
    { id: "undo", label: "admin.editor.undo", run: undo },
    { id: "redo", label: "admin.editor.redo", run: redo },
  ],
  [
    headingTool("heading2", "admin.editor.heading2", 2),
    headingTool("heading3", "admin.editor.heading3", 3),
  ],
  [
    markTool("bold", "admin.editor.bold", markTypes.strong),
    markTool("italic", "admin.editor.italic", markTypes.em),
    markTool("underline", "admin.editor.underline", markTypes.underline),
    markTool("strike", "admin.editor.strike", markTypes.strike),
  ],
  [
    listTool("bullets", "admin.editor.bullets", nodeTypes.bullet_list),
    listTool("numbers", "admin.editor.numbers", nodeTypes.ordered_list),
    quoteTool,
    ruleTool,
  ],
];
