import { expect, test } from "vitest";
import * as limits from "@/domain/limits";

/** Specification §5, §7 and §9: what a change here would break is a promise to users. */
test("the specification's numbers are the product's", () => {
  expect(limits).toMatchObject({
    IMAGE_MAX_BYTES: 5 * 1_048_576,
    VIDEO_MAX_BYTES: 200 * 1_048_576,
    PROFILE_PICTURE_MAX_BYTES: 2 * 1_048_576,
    THUMBNAIL_EDGE: 300,
    THUMBNAIL_QUALITY: 0.8,
    USERNAME_MIN: 3,
    PASSWORD_MIN_SIGNUP: 8,
    PASSWORD_MIN_CHANGE: 6,
    PAGE_SIZE: 30,
    SERVICE_PAGE_SIZE: 20,
    MESSAGES_PAGE_SIZE: 50,
    AUTH_FALLBACK_MS: 2_000,
    SESSION_CHECK_MS: 15_000,
    UNREAD_POLL_MS: 30_000,
    UPLOAD_TICK_MS: 200,
    UPLOAD_PROGRESS_CAP: 90,
    UPLOAD_RELOAD_MS: 1_000,
    UPLOAD_REDIRECT_MS: 2_000,
    OPERATION_RETRY_MS: 120_000,
    UPLOAD_RETRY_MS: 600_000,
    MOBILE_BREAKPOINT: 768,
    THEME_COLORS: { light: "#ffffff", dark: "#0f172a" },
  });
});
