import { Link } from "react-router-dom";
import { paths } from "@/domain/paths";
import { useText } from "@/i18n/use-text";
import { useProductName } from "@/state/page";

export function Footer() {
  const { t } = useText();
  const name = useProductName();
  return (
    <footer className="border-t border-line pt-3 pb-[calc(12px+env(safe-area-inset-bottom))] text-sm text-muted">
      <div className="mx-auto flex max-w-[1060px] flex-wrap pr-[max(12px,env(safe-area-inset-right))] pl-[max(12px,env(safe-area-inset-left))] md:pr-[max(24px,env(safe-area-inset-right))] md:pl-[max(24px,env(safe-area-inset-left))] items-center justify-between gap-x-6">
        <p className="py-2.5">{t("nav.copyright", { year: new Date().getFullYear(), name })}</p>
        <nav aria-label={t("nav.legal")} className="-mx-2 flex flex-wrap">
          <Link to={paths.terms} className="target flex items-center px-2 hover:text-foreground">
            {t("nav.terms")}
          </Link>
          <Link to={paths.privacy} className="target flex items-center px-2 hover:text-foreground">
            {t("nav.privacy")}
          </Link>
        </nav>
      </div>
    </footer>
  );
}
