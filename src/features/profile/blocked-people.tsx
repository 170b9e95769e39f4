/** Whom one blocked, with the way back. */
import { useText } from "@/i18n/use-text";
import { Panel } from "@/ui/panel";
import { PeopleListing } from "./people-listing";
import { UnblockButton } from "./unblock-button";

export function BlockedPeople() {
  const { t } = useText();
  return (
    <Panel id="blocked-people" title={t("account.blocked")} text={t("account.blockedText")}>
      <PeopleListing
        list="blocked"
        empty={<p className="text-muted">{t("account.nobodyBlocked")}</p>}
        action={(person) => (
          <UnblockButton
            id={person.id}
            name={person.state === "known" ? person.username : t("people.unknown")}
          />
        )}
      />
    </Panel>
  );
}
