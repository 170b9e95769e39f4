import type { enNews } from "@/i18n/en/news";
import type { Translated } from "@/i18n/keys";

export const deNews: Translated<typeof enNews> = {
  news: {
    none: "Noch nichts Neues",
    noneText:
      "Wenn jemand etwas von Ihnen mag, es kommentiert oder Ihnen folgt, lesen Sie es hier.",
    failed: "Ihre Mitteilungen erscheinen, sobald Sie online sind.",
    broken: "Ihre Mitteilungen konnten nicht geladen werden.",
    new: "Neu",
    more: "Ältere anzeigen",
    two: "{{name}} und {{other}}",
    many_one: "{{name}} und {{count}} weitere Person",
    many_other: "{{name}} und {{count}} weitere",
    somebody: "Jemand",
    photo: "Ihr Foto",
    video: "Ihr Video",
    post: "Ihren Beitrag",
    like_one: "{{who}} mag {{what}}",
    like_other: "{{who}} mögen {{what}}",
    comment_one: "{{who}} hat {{what}} kommentiert",
    comment_other: "{{who}} haben {{what}} kommentiert",
    reply: "{{who}} hat auf Ihren Kommentar geantwortet",
    mention: "{{who}} hat Sie erwähnt",
    follow_one: "{{who}} folgt Ihnen",
    follow_other: "{{who}} folgen Ihnen",
    resolved: "Danke für Ihre Meldung. Wir haben gehandelt.",
    dismissed: "Wir haben Ihre Meldung geprüft und keinen Verstoß gefunden.",
    removed: "Die Administration hat einen Ihrer Beiträge entfernt",
    removedOne: "Die Administration hat „{{caption}}“ entfernt",
    reason: "Grund: {{reason}}",
    about: "Benachrichtigen bei",
    aboutOffline: "Das können Sie wählen, sobald Sie online sind.",
    kinds: {
      like: "Likes",
      comment: "Kommentare zu meinen Beiträgen",
      mention: "Erwähnungen meines Namens",
      follow: "Neue Follower",
      report: "Was aus meinen Meldungen wurde",
    },
    saveFailed: "Das konnte nicht geändert werden. Bitte versuchen Sie es noch einmal.",
  },
};
