import type { enOnline } from "@/i18n/en/online";
import type { Translated } from "@/i18n/keys";

export const deOnline: Translated<typeof enOnline> = {
  sessions: {
    this: "Dieses Gerät",
    times: "Angemeldet am {{since}}, zuletzt aktiv am {{date}} um {{time}}",
    none: "Noch keine Geräte.",
    end: "Abmelden",
    endTitle: "{{device}} abmelden?",
    endText:
      "Was dort noch nicht gesendet wurde, bleibt auf dem Gerät, bis Sie sich dort wieder anmelden.",
    ended: "{{device}} ist abgemeldet",
    endFailed:
      "Dieses Gerät konnte nicht abgemeldet werden. Bitte versuchen Sie es erneut, sobald Sie online sind.",
    othersTitle: "Alle anderen Geräte abmelden?",
    othersEnded: "Alle anderen Geräte sind abgemeldet",
  },
  exporting: {
    stop: "Abbrechen",
    progress_one: "{{done}} von {{count}} Datei",
    progress_other: "{{done}} von {{count}} Dateien",
    listing: "Ihre Daten werden zusammengestellt…",
    done: "Ihr Archiv ist fertig",
    missing_one: "{{count}} Datei konnte nicht geladen werden. Das Archiv nennt sie.",
    missing_other: "{{count}} Dateien konnten nicht geladen werden. Das Archiv nennt sie.",
  },
  leaving: {
    title: "Ihr Konto löschen?",
    goes: "Das wird endgültig und für alle gelöscht:",
    profile: "Ihr Profil, Ihr Bild und Ihre E-Mail-Adresse",
    media: "alle Fotos und Videos, die Sie geteilt haben, mit ihren Kommentaren und Likes",
    words: "Ihre Likes und Kommentare bei anderen",
    people: "wem Sie folgen, wer Ihnen folgt und wen Sie blockiert haben",
    device: "alles auf diesem Gerät, auch was noch nicht gesendet ist",
    stays: "Das bleibt:",
    chats: "Nachrichten, die Sie geschrieben haben, in den Chats der anderen und ohne Ihren Namen",
    reports: "Meldungen, die Administratoren noch bearbeiten",
  },
  keeping: {
    title: "{{name}} offline behalten",
    text: "Die neuesten Fotos und Videos bleiben auf diesem Gerät, so viele, wie Platz haben.",
    wifi: "Geladen wird nur im WLAN.",
    anyhow: "Geladen wird sofort, auch über Mobilfunk.",
    about: "Etwa {{size}}",
    free: "Platz ist für {{size}}.",
    begun: "Wird auf dieses Gerät geladen",
    nothing: "Hier gibt es noch nichts zu behalten",
  },
  followed: {
    none: "Noch nichts von Menschen, denen Sie folgen",
    text: "Folgen Sie anderen, dann steht hier, was sie teilen, auch ohne Netz.",
    suggested: "Das könnte Ihnen gefallen",
  },
  byMail: {
    forgotTitle: "Neues Passwort wählen",
    forgotText: "Geben Sie Ihre E-Mail-Adresse ein, und wir schicken Ihnen einen Link.",
    forgotSend: "Link senden",
    forgotSent:
      "Wenn es zu dieser Adresse ein Konto gibt, ist eine E-Mail unterwegs. Der Link gilt 30 Minuten. Bitte sehen Sie auch im Spam-Ordner nach.",
    noMail:
      "Diese Seite verschickt keine E-Mails. Bitte wenden Sie sich für ein neues Passwort an die Betreiber.",
    remembered: "Doch wieder eingefallen?",
    resetText:
      "Sie werden auf allen Geräten abgemeldet. Melden Sie sich dann mit dem neuen Passwort an.",
    resetSave: "Passwort speichern",
    resetDone: "Ihr Passwort wurde geändert. Bitte melden Sie sich an.",
    linkTitle: "Dieser Link funktioniert nicht",
    linkText:
      "Er ist abgelaufen, wurde schon benutzt oder ist unvollständig. Sie können einen neuen anfordern.",
    newLink: "Neuen Link senden",
    verifying: "Ihre Adresse wird bestätigt…",
    verified: "Ihre Adresse ist bestätigt",
    verifiedText: "Vielen Dank. Jetzt steht Ihnen alles offen.",
    verifyFailed: "Ihre Adresse konnte nicht bestätigt werden",
    verifyNew: "Neuen Link in den Einstellungen anfordern",
  },
};
