import { expect, test } from "vitest";
import { ERROR_CODES, isErrorCode } from "@/domain/error-codes";
import { failed, ok } from "@/domain/result";

test("a success carries its value, a failure its word and the server's sentence where there is one", () => {
  expect(ok([1])).toEqual({ success: true, value: [1] });
  expect(failed("network")).toEqual({ success: false, error: "network" });
  expect(failed("blocked", "No.")).toEqual({ success: false, error: "blocked", message: "No." });
});

test("only our own words are error codes", () => {
  for (const code of ERROR_CODES) expect(isErrorCode(code)).toBe(true);
  for (const word of ["", "BLOCKED", "constructor", undefined, 404]) {
    expect(isErrorCode(word)).toBe(false);
  }
});

test("no error code is named twice", () => {
  expect(new Set(ERROR_CODES).size).toBe(ERROR_CODES.length);
});

/** Devices hold rows with these words: one that is renamed or removed makes them unreadable. */
test("the words of the first release are all still there", () => {
  const first =
    "network timeout rate_limited server unauthenticated forbidden suspended unknown_email wrong_password invalid " +
    "email_required email_invalid email_taken username_required username_short username_long username_spaces " +
    "username_characters username_taken password_required password_short password_long password_weak " +
    "password_mismatch terms_required caption_long tags_many tag_long text_empty text_long file_missing file_empty " +
    "file_type file_broken too_large image_too_large video_too_large quota storage_full canceled image_load_failed " +
    "canvas_unavailable thumbnail_failed not_found gone duplicate conflict own_media self blocked chat_disabled " +
    "not_participant not_sender last_admin append_only";
  expect(ERROR_CODES).toEqual(expect.arrayContaining(first.split(" ")));
});
