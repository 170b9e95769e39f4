/** What the toolbar of the text editor does, as data: one row for each button. */
import { lift, setBlockType, toggleMark, wrapIn } from "prosemirror-commands";
import { redo, undo } from "prosemirror-history";
import type { MarkType, NodeType } from "prosemirror-model";
import { liftListItem, wrapInList } from "prosemirror-schema-list";
import type { Command, EditorState } from "prosemirror-state";
import type { TextKey } from "@/i18n/keys";
import { legalSchema } from "./rich-schema";

const { nodes, marks } = legalSchema;

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
  /** Whether it holds where the cursor stands; absent for what only acts. */
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
  const isOn = (state: EditorState) => isInside(state, nodes.heading, { level });
  return {
    id,
    label,
    isOn,
    run: (state, dispatch) =>
      isOn(state)
        ? setBlockType(nodes.paragraph)(state, dispatch)
        : setBlockType(nodes.heading, { level })(state, dispatch),
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
  isOn: (state) => isInside(state, nodes.blockquote),
  run: (state, dispatch) =>
    isInside(state, nodes.blockquote)
      ? lift(state, dispatch)
      : wrapIn(nodes.blockquote)(state, dispatch),
};

const ruleTool: Tool = {
  id: "rule",
  label: "admin.editor.rule",
  run: (state, dispatch) => {
    dispatch?.(state.tr.replaceSelectionWith(nodes.horizontal_rule.create()).scrollIntoView());
    return true;
  },
};

/** In groups, as they stand in the toolbar. */
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
    markTool("bold", "admin.editor.bold", marks.strong),
    markTool("italic", "admin.editor.italic", marks.em),
    markTool("underline", "admin.editor.underline", marks.underline),
    markTool("strike", "admin.editor.strike", marks.strike),
  ],
  [
    listTool("bullets", "admin.editor.bullets", nodes.bullet_list),
    listTool("numbers", "admin.editor.numbers", nodes.ordered_list),
    quoteTool,
    ruleTool,
  ],
];
