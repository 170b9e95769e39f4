/** From when to when, by whom, and what. */
import type { TextKey } from "@/i18n/keys";
import { useText } from "@/i18n/use-text";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { Input } from "@/ui/input";
import { Select } from "@/ui/select";
import { type AuditChoice, NO_AUDIT_FILTER } from "./audit-query";

const ACTIONS: Record<string, TextKey> = {
  "": "admin.audit.anyAction",
  users: "admin.audit.users",
  media: "admin.audit.media",
  comments: "admin.audit.comments",
  conversations: "admin.audit.conversations",
  messages: "admin.audit.messages",
  reports: "admin.audit.reports",
  settings: "admin.audit.settings",
  cleanup: "admin.audit.cleanup",
};

interface AuditFilterProps {
  choice: AuditChoice;
  onChange: (choice: AuditChoice) => void;
}

export function AuditFilter({ choice, onChange }: AuditFilterProps) {
  const { t } = useText();
  const set = (changes: Partial<AuditChoice>) => onChange({ ...choice, ...changes });
  const isSet = Object.values(choice).some((value) => value !== "");
  return (
    <search className="mb-4 grid grid-cols-2 items-end *:min-w-0 gap-3 md:flex md:flex-wrap">
      <Field label={t("admin.audit.from")}>
        {(control) => (
          <Input
            {...control}
            type="date"
            className="min-w-0 px-2.5! text-[15px]!"
            value={choice.from}
            max={choice.to}
            data-testid="audit-from"
            onChange={(event) => set({ from: event.target.value })}
          />
        )}
      </Field>
      <Field label={t("admin.audit.to")}>
        {(control) => (
          <Input
            {...control}
            type="date"
            className="min-w-0 px-2.5! text-[15px]!"
            value={choice.to}
            min={choice.from}
            data-testid="audit-to"
            onChange={(event) => set({ to: event.target.value })}
          />
        )}
      </Field>
      <Field label={t("admin.audit.actor")}>
        {(control) => (
          <Input
            {...control}
            placeholder={t("admin.audit.actorHint")}
            autoComplete="off"
            value={choice.actor}
            data-testid="audit-actor"
            onChange={(event) => set({ actor: event.target.value })}
          />
        )}
      </Field>
      <div className="grid min-w-0 gap-1.5">
        <span aria-hidden="true" className="text-sm font-semibold">
          {t("admin.audit.action")}
        </span>
        <Select
          label={t("admin.audit.action")}
          value={choice.action}
          testId="audit-action"
          options={Object.entries(ACTIONS).map(([value, text]) => ({ value, text: t(text) }))}
          onChange={(action) => set({ action })}
        />
      </div>
      {isSet && (
        <Button variant="ghost" data-testid="audit-clear" onClick={() => onChange(NO_AUDIT_FILTER)}>
          {t("admin.audit.clear")}
        </Button>
      )}
    </search>
  );
}
