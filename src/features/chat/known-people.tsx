/** The name field of a new chat: a combobox over the people whom this device has met (WAI-ARIA, list autocomplete). */
import { type KeyboardEvent, useId, useState } from "react";
import type { KnownPerson } from "@/data/shapes";
import { useText } from "@/i18n/use-text";
import { useKnownPeople } from "@/state/chat";
import { Avatar } from "@/ui/avatar";
import { cn } from "@/ui/cn";
import type { ControlProps } from "@/ui/field";
import { Input } from "@/ui/input";
import { matchPeople } from "./match-people";

interface KnownPeopleProps {
  control: ControlProps;
  value: string;
  onChange: (value: string) => void;
  onPick: (person: KnownPerson) => void;
}

export function KnownPeople({ control, value, onChange, onPick }: KnownPeopleProps) {
  const { t } = useText();
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
        className="absolute inset-x-0 top-full z-10 mt-1 rounded-2xl border border-line bg-raised p-1.5 shadow-float"
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
        active && "bg-surface",
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
