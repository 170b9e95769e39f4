/** What one has muted, in the settings: people, and words, which can be added here. */
import { X } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { WORD_MAX } from "@/domain/limits";
import { isBlank } from "@/domain/texts";
import { setMuted, setWordMuted, useMutedWords } from "@/state/people";
import { Button } from "@/ui/button";
import { TextField } from "@/ui/field";
import { Panel } from "@/ui/panel";
import { PeopleListing } from "./people-listing";

export function MutedPanel() {
  const { t } = useTranslation();
  return (
    <Panel id="muted" title={t("account.muted")} text={t("account.mutedText")}>
      <PeopleListing
        list="muted"
        empty={<p className="text-muted">{t("account.nobodyMuted")}</p>}
        action={(person) => (
          <UnmuteButton
            id={person.id}
            name={person.state === "known" ? person.username : t("people.unknown")}
          />
        )}
      />
      <MutedWords />
      <MuteWord />
    </Panel>
  );
}

export function UnmuteButton({ id, name }: { id: string; name: string }) {
  const { t } = useTranslation();
  return (
    <Button
      aria-label={t("people.unmutePerson", { name })}
      data-testid="unmute"
      onClick={() => void setMuted(id, false)}
    >
      {t("people.unmute")}
    </Button>
  );
}

function MutedWords() {
  const { t } = useTranslation();
  const words = useMutedWords();
  if (words.length === 0) return null;
  return (
    <ul aria-label={t("account.mutedWords")} className="flex flex-wrap gap-2">
      {words.map((word) => (
        <li key={word} data-testid="muted-word">
          <Button
            className="max-w-full gap-1 px-3.5!"
            aria-label={t("account.unmuteWord", { word })}
            title={t("account.unmuteWord", { word })}
            data-testid="unmute-word"
            onClick={() => void setWordMuted(word, false)}
          >
            <bdi className="truncate">{word}</bdi>
            <X aria-hidden="true" className="size-4 shrink-0" />
          </Button>
        </li>
      ))}
    </ul>
  );
}

function MuteWord() {
  const { t } = useTranslation();
  const [word, setWord] = useState("");
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isBlank(word) && (await setWordMuted(word, true))) setWord("");
  };
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => void submit(event)}
      data-testid="mute-word-form"
    >
      <div className="min-w-0 flex-[1_1_14rem]">
        <TextField
          label={t("account.mutedWord")}
          maxLength={WORD_MAX}
          autoComplete="off"
          data-testid="word-to-mute"
          value={word}
          onValue={setWord}
        />
      </div>
      <Button type="submit" disabled={isBlank(word)} data-testid="mute-word">
        {t("account.muteWord")}
      </Button>
    </form>
  );
}
