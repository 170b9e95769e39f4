/** The tab's title: the page, then the product. */
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useProductName } from "./use-product-name";

export function useTitle(page: string): void {
  const { t } = useTranslation();
  const name = useProductName();
  // Outside: the document's title.
  useEffect(() => {
    document.title = page === "" ? name : t("app.title", { page, name });
  }, [page, name, t]);
}
