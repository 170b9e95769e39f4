/** The profile dropdown, and the question before a sign-out that would leave something unsent. */
import { Keyboard, LogOut, ShieldCheck, UserRound } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import type { SessionUser } from "@/data/shapes";
import { isLanguage, LANGUAGE_NAMES, LANGUAGES } from "@/domain/languages";
import { paths } from "@/domain/paths";
import { useSignOut } from "@/state/account";
import { chooseLanguage } from "@/state/language-choice";
import { useProfilePicture } from "@/state/people";
import { LISTS_KEYS } from "@/state/preferences";
import { Avatar } from "@/ui/avatar";
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuLine } from "@/ui/menu";
import { SignOutDialog } from "./sign-out-dialog";

const LANGUAGE_OPTIONS = LANGUAGES.map((value) => ({
  value,
  text: LANGUAGE_NAMES[value],
  lang: value,
}));

/** Where there is a mouse, there are keys. A window may be narrow by its zoom alone. */
const hasKeyboard = (): boolean => matchMedia("(any-pointer: fine)").matches;

export function ProfileMenu({ user: { id, username, isAdmin } }: { user: SessionUser }) {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const { waiting, signOut } = useSignOut();
  const picture = useProfilePicture(id);
  return (
    <>
      <Menu
        trigger={
          <button
            ref={opener}
            type="button"
            className="shell-icon"
            aria-label={t("nav.account", { name: username })}
            data-testid="profile-menu"
          >
            <Avatar name={username} src={picture} size={32} />
          </button>
        }
      >
        <MenuLabel>{username}</MenuLabel>
        <MenuItem data-testid="to-profile" onSelect={() => void navigate(paths.profile)}>
          <UserRound aria-hidden="true" />
          {t("people.page")}
        </MenuItem>
        {isAdmin && (
          <MenuItem data-testid="to-admin" onSelect={() => void navigate(paths.admin)}>
            <ShieldCheck aria-hidden="true" />
            {t("people.admin")}
          </MenuItem>
        )}
        <MenuLine />
        <MenuChoice
          label={t("language.label")}
          value={i18n.language}
          options={LANGUAGE_OPTIONS}
          onChange={(code) => isLanguage(code) && void chooseLanguage(code)}
          testId="menu-language"
        />
        <MenuLine />
        {hasKeyboard() && (
          <MenuItem
            data-testid="list-keys"
            onSelect={() =>
              window.dispatchEvent(new CustomEvent(LISTS_KEYS, { detail: opener.current }))
            }
          >
            <Keyboard aria-hidden="true" />
            {t("keys.title")}
          </MenuItem>
        )}
        <MenuItem
          data-testid="logout"
          onSelect={() => (waiting > 0 ? setAsking(true) : void signOut("discard"))}
        >
          <LogOut aria-hidden="true" />
          {t("nav.logout")}
        </MenuItem>
      </Menu>
      <SignOutDialog open={asking} onClose={() => setAsking(false)} returnFocus={opener} />
    </>
  );
}
