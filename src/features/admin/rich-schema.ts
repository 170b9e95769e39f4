/** The visual editor's schema, a subset of what the server allows (no tables), and its commands. */
import {
  Bold,
  Heading2,
  Heading3,
  Italic,
  List,
  ListOrdered,
  Minus,
  Redo2,
  Strikethrough,
  TextQuote,
  Underline,
  Undo2,
} from "lucide-react";
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

export const ICONS = {
  undo: Undo2,
  redo: Redo2,
  heading2: Heading2,
  heading3: Heading3,
  bold: Bold,
  italic: Italic,
  underline: Underline,
  strike: Strikethrough,
  bullets: List,
  numbers: ListOrdered,
  quote: TextQuote,
  rule: Minus,
};

export interface Tool {
  id: keyof typeof ICONS;
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

const markTool = (id: Tool["id"], mark: MarkType): Tool => ({
  id,
  run: toggleMark(mark),
  isOn: (state) => hasMark(state, mark),
});

const switchTool = (
  id: Tool["id"],
  isOn: (state: EditorState) => boolean,
  on: Command,
  off: Command,
): Tool => ({
  id,
  isOn,
  run: (state, dispatch) => (isOn(state) ? off : on)(state, dispatch),
});

const headingTool = (id: Tool["id"], level: number): Tool =>
  switchTool(
    id,
    (state) => isInside(state, nodeTypes.heading, { level }),
    setBlockType(nodeTypes.heading, { level }),
    setBlockType(nodeTypes.paragraph),
  );

const listTool = (id: Tool["id"], list: NodeType): Tool =>
  switchTool(
    id,
    (state) => isInside(state, list),
    wrapInList(list),
    liftListItem(nodeTypes.list_item),
  );

const quoteTool = switchTool(
  "quote",
  (state) => isInside(state, nodeTypes.blockquote),
  wrapIn(nodeTypes.blockquote),
  lift,
);

const ruleTool: Tool = {
  id: "rule",
  run: (state, dispatch) => {
    dispatch?.(state.tr.replaceSelectionWith(nodeTypes.horizontal_rule.create()).scrollIntoView());
    return true;
  },
};

export const TOOLS: readonly (readonly Tool[])[] = [
  [
    { id: "undo", run: undo },
    { id: "redo", run: redo },
  ],
  [headingTool("heading2", 2), headingTool("heading3", 3)],
  [
    markTool("bold", markTypes.strong),
    markTool("italic", markTypes.em),
    markTool("underline", markTypes.underline),
    markTool("strike", markTypes.strike),
  ],
  [
    listTool("bullets", nodeTypes.bullet_list),
    listTool("numbers", nodeTypes.ordered_list),
    quoteTool,
    ruleTool,
  ],
];
