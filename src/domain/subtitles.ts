/** Subtitles of a video: WebVTT, or SubRip that is made WebVTT. https://www.w3.org/TR/webvtt1/ */

/** Characters; an hour of talk has about 60,000. */
export const SUBTITLES_MAX = 200_000;

const CUE = /^(?:\d+:)?\d{2}:\d{2}\.\d{3} +--> +(?:\d+:)?\d{2}:\d{2}\.\d{3}/m;
const SUBRIP_CUE = /^(\d+:\d{2}:\d{2}),(\d{3}) +--> +(\d+:\d{2}:\d{2}),(\d{3})/gm;

/** The text of a file as WebVTT with plain line ends; unchanged if it is neither of the two. */
export function webVttOf(text: string): string {
  const plain = text
    .replace(/^\ufeff/, "")
    .replace(/\r\n?/g, "\n")
    .trim();
  if (plain.startsWith("WEBVTT")) return plain;
  const cues = plain.replace(SUBRIP_CUE, "$1.$2 --> $3.$4");
  return cues === plain ? plain : `WEBVTT\n\n${cues}`;
}

export function subtitlesFault(text: string): "text_long" | "file_type" | null {
  if (text.length > SUBTITLES_MAX) return "text_long";
  return /^WEBVTT(?:[ \t].*)?$/m.exec(text)?.index === 0 && CUE.test(text) ? null : "file_type";
}

/** The name of the stored file, by the SHA-256 of its text in hexadecimal digits. */
export const subtitlesName = (digest: string): string => `subtitles-${digest.slice(0, 32)}.vtt`;
