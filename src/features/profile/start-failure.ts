/** Why a chat could not be started: the server's own sentence, else the specification's (§8, Chat). */
import type { Served } from "@/data/service-api";
import type { Text } from "@/i18n/keys";

export const startFailureText = ({ message }: Served): Text =>
  message === "" ? { key: "errors.mutual_follow" } : { raw: message };
