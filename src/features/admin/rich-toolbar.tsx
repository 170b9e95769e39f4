/** The toolbar of the text editor: arrow keys move within it, and each button says whether it holds. */
import {
  Bold,
  Heading2,
  Heading3,
  Italic,
  Link2,
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
import type { EditorState } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { Toolbar } from "radix-ui";
import { useState } from "react";
import { useText } from "@/i18n/use-text";
import { cn } from "@/ui/cn";
import { LinkDialog } from "./link-dialog";
import { legalSchema } from "./rich-schema";
import { hasMark, TOOLS, type Tool, type ToolId } from "./rich-tools";

const ICONS: Record<ToolId, LucideIcon> = {
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

const TOOL_BUTTON =
  "grid size-11 shrink-0 place-items-center rounded-xl hover:bg-raised aria-pressed:bg-foreground aria-pressed:text-background disabled:opacity-40 [&_svg]:size-[18px]";

interface RichToolbarProps {
  view: EditorView;
  state: EditorState;
}

export function RichToolbar({ view, state }: RichToolbarProps) {
  const { t } = useText();
  const [linking, setLinking] = useState(false);
  return (
    <>
      <Toolbar.Root
        aria-label={t("admin.editor.toolbar")}
        className="sticky top-14 z-10 flex flex-wrap items-center gap-x-1 rounded-t-xl border-b border-line-strong bg-surface p-1 md:top-16"
      >
        {TOOLS.map((group, index) => (
          <div
            key={group[0]?.id}
            className={cn("flex", index > 0 && "md:border-l md:border-line md:pl-1")}
          >
            {group.map((tool) => (
              <ToolButton key={tool.id} tool={tool} view={view} state={state} />
            ))}
          </div>
        ))}
        <Toolbar.Button
          className={TOOL_BUTTON}
          aria-label={t("admin.editor.link")}
          title={t("admin.editor.link")}
          aria-pressed={hasMark(state, legalSchema.marks.link)}
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

function ToolButton({ tool, view, state }: { tool: Tool } & RichToolbarProps) {
  const { t } = useText();
  const Icon = ICONS[tool.id];
  const pressed = tool.isOn === undefined ? {} : { "aria-pressed": tool.isOn(state) };
  return (
    <Toolbar.Button
      className={TOOL_BUTTON}
      aria-label={t(tool.label)}
      title={t(tool.label)}
      data-testid={`tool-${tool.id}`}
      disabled={!tool.run(state)}
      {...pressed}
      // The selection in the text must survive the click.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => {
        tool.run(view.state, view.dispatch, view);
        view.focus();
      }}
    >
      <Icon aria-hidden="true" />
    </Toolbar.Button>
  );
}
