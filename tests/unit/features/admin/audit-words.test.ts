import { beforeAll, describe, expect, test } from "vitest";
import type { AuditRow } from "@/data/admin/admin-client";
import { actorText, actText, detailsText, targetText } from "@/features/admin/audit-words";
import { t } from "@/i18n/catalogue";
import { loadAdminTexts, loadLaterTexts, startTexts } from "@/i18n/setup";

const row = (over: Partial<AuditRow>): AuditRow => ({
  id: "a",
  actor: "",
  actorUsername: "",
  action: "users.update",
  target: "",
  targetLabel: "",
  aboutUsername: "",
  details: {},
  createdAt: 0,
  ...over,
});

/** Every act that `pb_hooks` and the command line write, but for what the dashboard does to rows. */
const ACTIONS = `users.update users.impersonate user.promote media.delete comments.delete
  conversations.list conversations.read conversations.photo conversations.delete messages.delete
  reports.update settings.update cleanup.run admins.sign-in admins.sign-in-failed admins.password
  admins.email collections.change collections.import collections.truncate server-settings.update
  backups.create _superusers.create likes.delete follows.create blocks.delete uploads.delete
  sessions.delete`.split(/\s+/);

/** What these acts may name as changed. */
const FIELDS = `username email password bio profilePicture followers following isAdmin isBlocked
  chatDisabled verified caption tags alt subtitles content reason status productName
  defaultLanguage requireMutualFollow requireVerified adminCodes`.split(/\s+/);

describe.each(["en", "en-GB", "de"] as const)("a reader of %s", (language) => {
  beforeAll(async () => {
    await startTexts(language);
    await Promise.all([loadLaterTexts(), loadAdminTexts()]);
  });

  test("reads every act and field by a label, not by its identifier", () => {
    for (const action of ACTIONS) {
      const [noun = "", act = ""] = action.split(".");
      const [said = "", did = ""] = actText(action, t).split(": ");
      expect([action, said === noun, did === act, did]).toEqual([action, false, false, did]);
      expect(did).not.toBe("");
    }
    for (const field of FIELDS) {
      const said = detailsText(row({ details: { changed: [field] } }), t, language);
      expect([field, said === "" || said === field]).toEqual([field, false]);
    }
  });
});

test("a German row is German: who, what, to what, and how", async () => {
  await startTexts("de");
  await Promise.all([loadLaterTexts(), loadAdminTexts()]);
  expect(actText("settings.update", t)).toBe("Einstellungen und Texte: geändert");
  expect(targetText(row({ action: "settings.update", target: "terms" }), t)).toBe(
    "Nutzungsbedingungen",
  );
  expect(targetText(row({ action: "cleanup.run", target: "old-tombstones" }), t)).toBe(
    "Alte Löschvermerke",
  );
  expect(targetText(row({ target: "ann000000000000", targetLabel: "ann" }), t)).toBe("ann");
  expect(actorText(row({ actor: "command line" }), t)).toBe("Befehlszeile");
  expect(actorText(row({ actor: "superuser:a:b@example.com" }), t)).toBe(
    "Superuser a:b@example.com",
  );
  const details = (of: AuditRow["details"]) => detailsText(row({ details: of }), t, "de");
  expect(details({ changed: ["isBlocked", "bio", "updatedAt"], isBlocked: true })).toBe(
    "Biografie · Gesperrt: ja",
  );
  expect(details({ changed: ["limits", "revision"], limits: { storageBytes: 2 ** 21 } })).toBe(
    "Speicherplatz in MB, pro Person: 2",
  );
  expect(details({ changed: ["status"], status: "resolved" })).toBe("Status: Erledigt");
  expect(details({ items: 2, bytes: 3 * 2 ** 20 })).toBe("2 Einträge · 3 MB");
  expect(details({ page: "first" })).toBe("");
  expect(details({ changed: ["thumbhash"] })).toBe("thumbhash");
});
