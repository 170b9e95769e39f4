/** Brings the sentences of the admin panel, which come in its own chunk. */
import i18next from "i18next";
import { ADMIN_GERMAN, enAdmin } from "./en-admin";
import { addGermanKeys } from "./german-keys";

export function addAdminTexts(): void {
  if (i18next.exists("admin.title")) return;
  i18next.addResourceBundle("en", "translation", enAdmin, true);
  addGermanKeys(ADMIN_GERMAN);
}
