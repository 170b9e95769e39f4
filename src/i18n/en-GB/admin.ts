/** "English (all)", part three: `en` but for its German sentences. */
import type { ADMIN_GERMAN } from "@/i18n/en/admin";
import type { EnglishFor } from "@/i18n/keys";

export const enGbAdmin: EnglishFor<typeof ADMIN_GERMAN> = {
  "admin.tab.stats": "Statistics",
  "admin.tab.users": "Users",
  "admin.tab.media": "Media",
  "admin.tab.reports": "Reports",
  "admin.fehler": "Error",
  "admin.erfolg": "Success",
  "admin.stats.loading": "Loading statistics…",
  "admin.media.by": "by {{name}}",
  "admin.media.delete": "Delete",
  "admin.media.deleteOf": "Delete: {{name}}",
  "admin.media.deleteTitle": "Delete this media?",
  "admin.media.deleted": "Media deleted successfully.",
  "admin.media.deleteFailed": "The media couldn't be deleted.",
  "admin.media.none": "No media yet.",
  "admin.reports.number": "Report #{{number}}",
  "admin.reports.none": "No reports yet.",
};
