import { Link } from "react-router-dom";
import { paths } from "@/domain/paths";
import { LegalTexts } from "@/features/legal/legal-texts";
import { useText } from "@/i18n/use-text";
import { useTitle } from "@/state/use-title";
import { buttonClasses } from "@/ui/button";

export function LegalRoute({ first }: { first: "terms" | "privacy" }) {
  const { t } = useText();
  useTitle(t(`pages.${first}`));
  return (
    <div className="mx-auto max-w-[680px] pt-4">
      <LegalTexts key={first} first={first} />
      <Link
        to={paths.home}
        className={`${buttonClasses({ variant: "outline" })} mt-10`}
        data-testid="back-home"
      >
        {t("legal.backHome")}
      </Link>
    </div>
  );
}
