import { Printer } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { paths } from "@/domain/paths";
import { LegalTexts } from "@/features/legal/legal-texts";
import { useTitle } from "@/state/page";
import { Button, buttonClasses } from "@/ui/button";

export function LegalRoute({ first }: { first: "terms" | "privacy" }) {
  const { t } = useTranslation();
  useTitle(t(`pages.${first}`));
  return (
    <div className="mx-auto max-w-[680px] pt-4">
      <LegalTexts key={first} first={first} />
      <div data-behind="" className="mt-10 flex flex-wrap gap-2 print:hidden">
        <Link to={paths.home} className={buttonClasses()} data-testid="back-home">
          {t("legal.backHome")}
        </Link>
        <Button variant="ghost" data-testid="print" onClick={() => window.print()}>
          <Printer aria-hidden="true" />
          {t("legal.print")}
        </Button>
      </div>
    </div>
  );
}
