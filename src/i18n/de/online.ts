import type { enOnline } from "@/i18n/en/online";
import type { Translated } from "@/i18n/keys";

export const deOnline: Translated<typeof enOnline> = {
  sessions: {
    failed: "Ihre Geräte konnten nicht geladen werden.",
    others: "Alle anderen Geräte abmelden",
    deviceOn: "{{browser}} auf {{system}}",
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
  installing: {
    title: "{{name}} installieren",
    titleByHand: "{{name}} auf den Startbildschirm legen",
    textByHand:
      "Es öffnet sich wie eine App, auch ohne Netz. Im Browser wird das Gespeicherte nach sieben Tagen ohne Besuch gelöscht; auf dem Startbildschirm bleibt es.",
    share: "Auf „Teilen“ tippen",
    add: "Dann auf „Zum Home-Bildschirm“ tippen",
    no: "Nicht jetzt",
    seen: "Verstanden",
  },
};
