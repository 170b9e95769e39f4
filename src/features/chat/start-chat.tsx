/** Start New Chat: a name field with suggestions of people known to this device. */
import { MessageCirclePlus } from "lucide-react";
import { type KeyboardEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { KnownPerson, SessionUser } from "@/data/shapes";
import type { Text } from "@/i18n/keys";
import { Say, SayText } from "@/i18n/say";
import { startChat, useKnownPeople } from "@/state/chat";
import { Avatar } from "@/ui/avatar";
import { Button } from "@/ui/button";
import { cn } from "@/ui/cn";
import { type ControlProps, Field, Input } from "@/ui/field";

export interface StartChatProps {
  user: SessionUser;
  onStarted: (conversationId: string) => void;
}

export function StartChat({ user, onStarted }: StartChatProps) {
  const { t } = useTranslation();
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
  return (
    <section className="rounded-[20px] border border-line bg-raised p-4" data-testid="start-chat">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void start(name);
        }}
      >
        <h2 className="mb-3 text-base font-bold">{t("chat.startTitle")}</h2>
        <Field
          label={t("auth.username")}
          hint={t("chat.startHint")}
          error={
            fault && (
              <>
                <Say k="chat.errorTitle" />
                {": "}
                <SayText text={fault} />
              </>
            )
          }
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

interface KnownPeopleProps {
  control: ControlProps;
  value: string;
  onChange: (value: string) => void;
  onPick: (person: KnownPerson) => void;
}

/** A combobox over the people known to this device (WAI-ARIA, list autocomplete). */
function KnownPeople({ control, value, onChange, onPick }: KnownPeopleProps) {
  const { t } = useTranslation();
  const listId = useId();
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const people = matchPeople(useKnownPeople(), value);
  const shown = open && people.length > 0;
  const pick = (person: KnownPerson) => {
    setOpen(false);
    onPick(person);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0;
    if (step !== 0 && people.length > 0) {
      event.preventDefault();
      setOpen(true);
      setActive((now) => (now + step + people.length + 1) % (people.length + 1));
    } else if (event.key === "Escape" && shown) {
      event.preventDefault();
      setOpen(false);
    } else if (event.key === "Enter" && shown && people[active] !== undefined) {
      event.preventDefault();
      pick(people[active]);
    }
  };
  return (
    <div className="relative min-w-[min(220px,100%)] flex-1">
      <Input
        {...control}
        role="combobox"
        aria-expanded={shown}
        aria-controls={listId}
        aria-autocomplete="list"
        {...(shown && people[active] ? { "aria-activedescendant": `${listId}-${active}` } : {})}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={64}
        value={value}
        data-testid="chat-username"
        onFocus={() => setOpen(value !== "")}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setOpen(true);
          setActive(-1);
          onChange(event.target.value);
        }}
      />
      <span role="status" className="sr-only">
        {shown ? t("chat.knownFound", { count: people.length }) : ""}
      </span>
      <div
        id={listId}
        role="listbox"
        aria-label={t("chat.known")}
        hidden={!shown}
        className="absolute inset-x-0 top-full z-10 mt-1 rounded-2xl border border-line-strong bg-raised p-1.5 shadow-float"
        data-testid="known-people"
      >
        {people.map((person, i) => (
          <Option
            key={person.id}
            id={`${listId}-${i}`}
            person={person}
            active={i === active}
            onPick={() => pick(person)}
          />
        ))}
      </div>
    </div>
  );
}

interface OptionProps {
  id: string;
  person: KnownPerson;
  active: boolean;
  onPick: () => void;
}

function Option({ id, person, active, onPick }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and the keys.
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={active}
      className={cn(
        "flex min-h-11 cursor-pointer items-center gap-3 rounded-xl px-3 hover:bg-surface",
        active && "bg-surface outline-2 -outline-offset-2 outline-(--focus)",
      )}
      // The field keeps the focus: a blur would close the list before the click.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onPick}
    >
      <Avatar name={person.username} src={person.thumbnailUrl} />
      <span className="truncate">{person.username}</span>
    </div>
  );
}

/** The people whom a typed name may mean; those whose name begins with it come first. */
const MOST = 6;

export function matchPeople(people: readonly KnownPerson[], typed: string): KnownPerson[] {
  const wanted = typed.trim().toLowerCase();
  if (wanted === "") return [];
  const at = (person: KnownPerson) => person.username.toLowerCase().indexOf(wanted);
  // A complete name needs no list over the button.
  if (people.some(({ username }) => username.toLowerCase() === wanted)) return [];
  return people
    .filter((person) => at(person) >= 0)
    .sort((a, b) => Number(at(a) > 0) - Number(at(b) > 0))
    .slice(0, MOST);
}
