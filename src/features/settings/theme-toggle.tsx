/** Light or dark, at once and from then on. */
import { Moon, Sun } from "lucide-react";
import { useText } from "@/i18n/use-text";
import { usePreferences } from "@/state/preferences";

export function ThemeToggle() {
  const { t } = useText();
  const theme = usePreferences((now) => now.theme);
  const toggle = usePreferences((now) => now.toggleTheme);
  const label = theme === "dark" ? t("nav.toLight") : t("nav.toDark");
  return (
    <button
      type="button"
      className="shell-icon"
      aria-label={label}
      title={label}
      onClick={toggle}
      data-testid="toggle-theme"
    >
      {theme === "dark" ? <Sun aria-hidden="true" /> : <Moon aria-hidden="true" />}
    </button>
  );
}
