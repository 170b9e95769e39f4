/** Why a profile was not saved (specification §5 and §8, "Profile update"). */
import type { Served } from "@/data/service-api";
import type { Text } from "@/i18n/keys";

export function profileErrorText({ error, message }: Served): Text {
  switch (error) {
    case "unauthenticated":
    case "forbidden":
    case "suspended":
    case "not_found":
      return { key: "profile.forbidden" };
    case "file_type":
    case "too_large":
      return message === "" ? { key: "profile.saveFailed" } : { raw: message };
    case "rate_limited":
    case "storage_full":
    case "text_long":
      return { key: `errors.${error}` };
    default:
      return { key: "profile.saveFailed" };
  }
}
