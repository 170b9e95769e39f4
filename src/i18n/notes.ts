/** Notifications in words: the sender's part of the catalogues, in all languages. */
import type { News } from "@/data/push/news";
import type { Language } from "@/domain/languages";
import { paths } from "@/domain/paths";
import { addTexts, readLanguage, t } from "./catalogue";
import { dePush } from "./de/push";
import { enPush } from "./en/push";

const TEXTS: Readonly<Record<Language, object>> = { en: enPush, "en-GB": enPush, de: dePush };

/** A notification, before the system draws it. */
export interface Note {
  title: string;
  body: string;
  /** A later one with the same tag takes its place. */
  tag: string;
  /** Where a tap leads. */
  path: string;
  actions: { action: "reply" | "read"; title: string }[];
}

/** All notes from here on are in this language. */
export function readIn(language: Language): void {
  addTexts(language, TEXTS[language]);
  readLanguage(language);
}

export function noteOf(news: News, productName: string): Note {
  const { kind, id, count } = news;
  const note = { tag: `${kind} ${id}`, actions: [] };
  switch (kind) {
    case "messages": {
      const text = news.text || t("note.photo");
      const body = count > 1 ? `${text}\n${t("note.unread", { count })}` : text;
      const actions: Note["actions"] = [
        { action: "reply", title: t("note.reply") },
        { action: "read", title: t("note.read") },
      ];
      return { ...note, title: news.name || productName, body, path: paths.chat(id), actions };
    }
    case "comments": {
      const { name, text } = news;
      const path = paths.slug(id);
      if (count === 1) return { ...note, title: t("note.comment", { name }), body: text, path };
      const title = t("note.comments", { count });
      return { ...note, title, body: t("note.said", { name, text }), path };
    }
    case "likes":
      return {
        ...note,
        title: t("note.likes", { count }),
        body: news.caption,
        path: paths.slug(id),
      };
    case "follows":
      return { ...note, title: t("note.follows", { count }), body: "", path: paths.profile };
  }
}

/** For where the server could not be asked what it is. */
export const unknownNote = (productName: string): Note => ({
  title: productName,
  body: t("note.new"),
  tag: "new",
  path: paths.home,
  actions: [],
});
