import { Compass } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { paths } from "@/domain/paths";
import { useTitle } from "@/state/page";
import { buttonClasses } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";

export function NotFoundRoute() {
  const { t } = useTranslation();
  useTitle(t("pages.notFound"));
  return (
    <EmptyState
      page
      testId="not-found"
      icon={<Compass />}
      title={t("notFound.title")}
      text={t("notFound.text")}
    >
      <Link to={paths.home} className={buttonClasses({ variant: "accent" })}>
        {t("app.goHome")}
      </Link>
    </EmptyState>
  );
}
