/** The visual editor's schema, a subset of what the server allows (no tables), and its commands. */
import {
  Bold,
  Heading2,
  Heading3,
  Italic,
  List,
  ListOrdered,
  type LucideIcon,
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
import { safeHtml } from "@/ui/purified-html";

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

/** The parser takes a text alone, says the DOM's type. */
const documentOf = (html: string): Document =>
  new DOMParser().parseFromString(safeHtml(html) as unknown as string, "text/html");

/** Whether the visual editor preserves all of `html`. */
export const canHold = (html: string): boolean => documentOf(html).querySelector("table") === null;

export const parseHtml = (html: string): Node =>
  DocumentParser.fromSchema(legalSchema).parse(documentOf(html).body);

export function htmlOf(doc: Node): string {
  if (doc.textContent.trim() === "" && doc.childCount <= 1) return "";
  const holder = document.createElement("div");
  holder.append(DOMSerializer.fromSchema(legalSchema).serializeFragment(doc.content));
  return holder.innerHTML;
}

const { nodes: nodeTypes, marks: markTypes } = legalSchema;

interface Tool {
  Icon: LucideIcon;
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

const markTool = (Icon: LucideIcon, mark: MarkType): Tool => ({
  Icon,
  run: toggleMark(mark),
  isOn: (state) => hasMark(state, mark),
});

/** Put on and taken off by different commands. */
function blockTool(isOn: (state: EditorState) => boolean, on: Command, off: Command) {
  const run: Command = (state, dispatch) => (isOn(state) ? off : on)(state, dispatch);
  return { isOn, run };
}

const headingTool = (level: number) =>
  blockTool(
    (state) => isInside(state, nodeTypes.heading, { level }),
    setBlockType(nodeTypes.heading, { level }),
    setBlockType(nodeTypes.paragraph),
  );

const listTool = (list: NodeType) =>
  blockTool((state) => isInside(state, list), wrapInList(list), liftListItem(nodeTypes.list_item));

const isQuote = (state: EditorState) => isInside(state, nodeTypes.blockquote);

const insertRule: Command = (state, dispatch) => {
  dispatch?.(state.tr.replaceSelectionWith(nodeTypes.horizontal_rule.create()).scrollIntoView());
  return true;
};

const ALL_TOOLS = {
  undo: { Icon: Undo2, run: undo },
  redo: { Icon: Redo2, run: redo },
  heading2: { Icon: Heading2, ...headingTool(2) },
  heading3: { Icon: Heading3, ...headingTool(3) },
  bold: markTool(Bold, markTypes.strong),
  italic: markTool(Italic, markTypes.em),
  underline: markTool(Underline, markTypes.underline),
  strike: markTool(Strikethrough, markTypes.strike),
  bullets: { Icon: List, ...listTool(nodeTypes.bullet_list) },
  numbers: { Icon: ListOrdered, ...listTool(nodeTypes.ordered_list) },
  quote: { Icon: TextQuote, ...blockTool(isQuote, wrapIn(nodeTypes.blockquote), lift) },
  rule: { Icon: Minus, run: insertRule },
};

export type ToolId = keyof typeof ALL_TOOLS;
export const TOOLS: Record<ToolId, Tool> = ALL_TOOLS;

export const TOOL_GROUPS: ToolId[][] = [
  ["undo", "redo"],
  ["heading2", "heading3"],
  ["bold", "italic", "underline", "strike"],
  ["bullets", "numbers", "quote", "rule"],
];
