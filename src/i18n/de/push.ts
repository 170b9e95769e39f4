import type { enPush } from "@/i18n/en/push";
import type { Translated } from "@/i18n/keys";

export const dePush: Translated<typeof enPush> = {
  push: {
    text: "Dieses Gerät kann Ihnen sagen, was es Neues gibt, auch wenn die App geschlossen ist. Keine andere Firma sieht je, was darin steht.",
    on: "Einschalten",
    off: "Ausschalten",
    about: "Benachrichtigen bei",
    kinds: {
      messages: "Nachrichten",
      comments: "Kommentaren zu meinen Beiträgen",
      likes: "Likes",
      follows: "neuen Followern",
    },
    quiet: "Ruhezeiten",
    quietText: "Danach erfahren Sie, was inzwischen war.",
    from: "Von",
    to: "Bis",
    sameTime: "Bitte wählen Sie zwei verschiedene Uhrzeiten.",
    denied:
      "Ihr Browser blockiert Benachrichtigungen dieser Seite. Erlauben Sie sie in seinen Einstellungen und kommen Sie dann wieder.",
    failed: "Das konnte nicht geändert werden. Bitte versuchen Sie es noch einmal.",
    offer: "Über neue Nachrichten informieren?",
    offerText:
      "Dieses Gerät kann Ihnen Nachrichten und Kommentare melden, auch wenn die App geschlossen ist. In den Einstellungen können Sie das jederzeit ändern.",
    yes: "Einschalten",
    no: "Nein",
    isOn: "Benachrichtigungen sind eingeschaltet",
    unknown: "Die Einstellungen konnten nicht geladen werden.",
  },
  note: {
    photo: "Foto",
    unread_one: "{{count}} ungelesene Nachricht",
    unread_other: "{{count}} ungelesene Nachrichten",
    comment: "{{name}} hat kommentiert",
    comments_one: "{{count}} neuer Kommentar",
    comments_other: "{{count}} neue Kommentare",
    said: "{{name}}: {{text}}",
    likes_one: "{{count}} neues Like",
    likes_other: "{{count}} neue Likes",
    follows_one: "{{count}} neuer Follower",
    follows_other: "{{count}} neue Follower",
    new: "Es gibt etwas Neues für Sie",
    reply: "Antworten",
    read: "Als gelesen markieren",
  },
};
