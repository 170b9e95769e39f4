/** What a reader learns of a refusal: the words of his catalogue for its code, never the server's sentence. */
import { readCatalogues } from "@scripts/texts.mjs";
import refusals from "@tests/contract/refusals.json";
import { beforeAll, describe, expect, test } from "vitest";
import { readAnswer, toFailure } from "@/data/engine/answers";
import type { IntentView } from "@/data/shapes";
import { ERROR_CODES, type ErrorCode } from "@/domain/error-codes";
import {
  chatRefusalText,
  chatStartText,
  errorKey,
  fileFaultKey,
  refusalText,
  uploadErrorText,
} from "@/i18n/error-text";
import { reasonText, refusalToast } from "@/i18n/intent-texts";

let catalogues: Record<string, Map<string, string>>;
beforeAll(async () => {
  ({ catalogues } = await readCatalogues());
});

/** PocketBase's own refusals: by its status and its words for fields, because it has no code of ours. */
const POCKETBASE: [string, object, ErrorCode][] = [
  [
    "a rule's no",
    { status: 403, message: "The authorized record is not allowed.", data: {} },
    "forbidden",
  ],
  [
    "no such row",
    { status: 404, message: "The requested resource wasn't found.", data: {} },
    "not_found",
  ],
  [
    "a dead token",
    { status: 401, message: "The request requires valid record authorization token.", data: {} },
    "unauthenticated",
  ],
  ["too many requests", { status: 429, message: "Too Many Requests.", data: {} }, "rate_limited"],
  [
    "a body that is too large",
    { status: 413, message: "Request entity too large", data: {} },
    "too_large",
  ],
  ["a bad request", { status: 400, message: "Failed to create record.", data: {} }, "invalid"],
  [
    "a name in use",
    {
      status: 400,
      message: "Failed to create record.",
      data: { username: { code: "validation_not_unique", message: "Value must be unique." } },
    },
    "username_taken",
  ],
  [
    "its own fault",
    { status: 500, message: "Something went wrong while processing your request.", data: {} },
    "server",
  ],
];

async function codeOf(body: { status: number }): Promise<ErrorCode> {
  const answer = await readAnswer(new Response(JSON.stringify(body), { status: body.status }));
  if (answer.kind === "accepted") throw new Error("that is no refusal");
  return toFailure(answer).error;
}

describe("a refusal", () => {
  test.each(refusals.map(({ name, answer }) => [name, answer] as const))(
    "of the server's, %s, has a code with words in every language",
    async (_name, answer) => {
      const key = errorKey(await codeOf(answer));
      for (const texts of Object.values(catalogues)) expect(texts.get(key)).toBeTruthy();
    },
  );

  test.each(POCKETBASE)(
    "of PocketBase's own, %s, is told by our code",
    async (_name, body, code) => {
      expect(await codeOf(body as { status: number })).toBe(code);
    },
  );

  test("of every kind is said in each language, and in German without English", () => {
    const [english, german] = [catalogues["en-GB"], catalogues["de"]];
    for (const code of ERROR_CODES) {
      const key = errorKey(code);
      expect(german?.get(key)).toBeTruthy();
      expect(german?.get(key)).not.toBe(english?.get(key));
    }
  });
});

test("a code that tells nothing leaves the word to the screen", () => {
  expect(refusalText("invalid", "chat.deleteFailed")).toEqual({ key: "chat.deleteFailed" });
  expect(refusalText(null, "chat.deleteFailed")).toEqual({ key: "chat.deleteFailed" });
  expect(refusalText("not_sender", "chat.deleteFailed")).toEqual({ key: "errors.not_sender" });
});

test("a chat that does not begin says why (specification §5)", () => {
  expect(chatStartText("blocked")).toEqual({ key: "chat.blockedEither" });
  expect(chatStartText("not_found")).toEqual({ key: "people.notFound" });
  expect(chatStartText("self")).toEqual({ key: "chat.self" });
  expect(chatStartText("invalid")).toEqual({ key: "errors.mutual_follow" });
  expect(chatStartText("server")).toEqual({ key: "errors.server" });
  expect(chatRefusalText("blocked", "chat.sendFailed")).toEqual({ key: "chat.blockedEither" });
});

/** A row as an earlier version left it: with the server's sentence, which nobody is shown any more. */
const stored = (row: Partial<IntentView>) =>
  ({
    state: "refused",
    code: "blocked",
    message: "Chat mit blockiertem Benutzer nicht möglich",
    isUpload: false,
    ...row,
  }) as IntentView;

test.each([
  [stored({ kind: "message.send" }), "chat.blockedEither"],
  [stored({ kind: "conversation.create" }), "chat.blockedEither"],
  [stored({ kind: "comment.create" }), "errors.blocked"],
  [
    stored({ kind: "report.create", code: "own_media", message: "You cannot …" }),
    "errors.own_media",
  ],
  [
    stored({ kind: "media.create", isUpload: true, code: "quota", message: "Disk full" }),
    "uploadErrors.quota",
  ],
])("a refused row with a stored sentence is told by its code", (row, key) => {
  expect(reasonText(row)).toEqual({ key });
});

test("the toast of a refused chat names the cause, whatever the server wrote", () => {
  expect(refusalToast(stored({ kind: "conversation.create" }))).toEqual({
    title: { key: "chat.errorTitle" },
    description: { key: "chat.blockedEither" },
  });
});

/** All that a chosen file can meet: on the device, and as the server's answer to its upload. */
const OF_FILES: ErrorCode[] = [
  "file_empty",
  "file_type",
  "file_raw",
  "file_video",
  "file_heic",
  "file_unreadable",
  "file_audio",
  "file_broken",
  "file_missing",
  "converter_missing",
  "metadata",
  "too_large",
  "image_too_large",
  "video_too_large",
  "quota",
  "storage_full",
  "canceled",
  "image_load_failed",
  "canvas_unavailable",
  "thumbnail_failed",
  "caption_long",
  "tags_many",
  "tag_long",
  "rate_limited",
  "unverified",
  "unauthenticated",
  "forbidden",
  "suspended",
  "timeout",
  "network",
];

describe("why a file cannot be taken", () => {
  test("is one sentence for each cause, in every language", () => {
    const keys = [
      ...OF_FILES.map((code) => uploadErrorText(code).key),
      "uploadErrors.deviceFull",
      "errors.file_missing",
    ];
    for (const texts of Object.values(catalogues)) {
      const said = keys.map((key) => texts.get(key));
      expect(said.filter((text, i) => !text || said.indexOf(text) !== i)).toEqual([]);
    }
  });

  test("names the formats that can, where it is the format", () => {
    const photos = "JPEG, PNG, GIF, WebP, HEIC, AVIF, JPEG XL, TIFF".split(", ");
    const videos = "MP4, M4V, MOV, WebM, 3GP".split(", ");
    for (const texts of Object.values(catalogues)) {
      const [any = "", video = ""] = [
        texts.get("errors.file_type"),
        texts.get("errors.file_video"),
      ];
      expect([...photos, "BMP", ...videos].filter((format) => !any.includes(format))).toEqual([]);
      expect(videos.filter((format) => !video.includes(format))).toEqual([]);
      expect(texts.get("errors.file_raw")).toContain("JPEG");
    }
  });

  test("is the same sentence before and after it was sent", () => {
    for (const code of ["file_missing", "file_type", "file_broken", "video_too_large"] as const) {
      expect(uploadErrorText(code).key).toBe(fileFaultKey(code));
    }
  });
});

test("a sentence with 'zu groß' is told by its meaning", () => {
  expect(uploadErrorText("invalid", "Die Datei ist zu groß")).toEqual({ key: "errors.too_large" });
});
