/** What a legal text may hold in the visual editor, and the way from HTML and back. The server's allow-list is wider by tables alone. */
import {
  DOMSerializer,
  DOMParser as DocumentParser,
  type MarkSpec,
  type Node,
  Schema,
} from "prosemirror-model";
import { marks, nodes } from "prosemirror-schema-basic";
import { bulletList, listItem, orderedList } from "prosemirror-schema-list";
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

/** Whether the visual editor keeps everything that stands in `html`. */
export const canHold = (html: string): boolean => documentOf(html).querySelector("table") === null;

export const parseHtml = (html: string): Node =>
  DocumentParser.fromSchema(legalSchema).parse(documentOf(html).body);

/** "" for a text of which nothing would be seen. */
export function htmlOf(doc: Node): string {
  if (doc.textContent.trim() === "" && doc.childCount <= 1) return "";
  const holder = document.createElement("div");
  holder.append(DOMSerializer.fromSchema(legalSchema).serializeFragment(doc.content));
  return holder.innerHTML;
}
