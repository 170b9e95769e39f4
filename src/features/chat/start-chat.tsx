/** Start New Chat: a name, with suggestions of people whom this device has met. */
import { MessageCirclePlus } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { SessionUser } from "@/data/shapes";
import type { Text } from "@/i18n/keys";
import { SayText } from "@/i18n/say";
import { useText } from "@/i18n/use-text";
import { startChat } from "@/state/chat";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { KnownPeople } from "./known-people";

interface StartChatProps {
  user: SessionUser;
  onStarted: (conversationId: string) => void;
}

export function StartChat({ user, onStarted }: StartChatProps) {
  const { t } = useText();
  const [name, setName] = useState("");
  const [fault, setFault] = useState<Text | null>(null);
  const [busy, setBusy] = useState(false);
  const start = async (wanted: string) => {
    if (busy) return;
    setBusy(true);
    const outcome = await startChat(user, wanted);
    setBusy(false);
    if (outcome.kind === "started") onStarted(outcome.conversationId);
    else setFault(outcome.fault);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void start(name);
  };
  return (
    <section className="rounded-[20px] border border-line bg-raised p-4" data-testid="start-chat">
      <form noValidate onSubmit={submit}>
        <h2 className="mb-3 text-base font-bold">{t("chat.startTitle")}</h2>
        <Field
          label={t("chat.username")}
          hint={t("chat.startHint")}
          error={fault === null ? null : <SayText text={fault} />}
        >
          {(control) => (
            <div className="flex flex-wrap gap-2">
              <KnownPeople
                control={control}
                value={name}
                onChange={(value) => {
                  setName(value);
                  setFault(null);
                }}
                onPick={(person) => {
                  setName(person.username);
                  void start(person.username);
                }}
              />
              <Button
                type="submit"
                variant="accent"
                className="min-h-12! grow sm:grow-0"
                aria-disabled={busy}
                data-testid="submit-start-chat"
              >
                <MessageCirclePlus aria-hidden="true" />
                {busy ? t("chat.starting") : t("chat.start")}
              </Button>
            </div>
          )}
        </Field>
      </form>
    </section>
  );
}
