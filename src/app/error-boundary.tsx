/** Catches what a page throws while drawing, so that the top bar and the queue stay usable. */
import { Component, type ReactNode } from "react";
import { useText } from "@/i18n/use-text";
import { Button } from "@/ui/button";

export class ErrorBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    return this.state.broken ? <Crash /> : this.props.children;
  }
}

function Crash() {
  const { t } = useText();
  return (
    <div role="alert" data-testid="crash" className="mx-auto max-w-sm py-20 text-center">
      <h1 className="text-lg font-bold">{t("crash.title")}</h1>
      <p className="mt-2 mb-5 text-muted">{t("crash.text")}</p>
      <Button variant="accent" onClick={() => location.reload()}>
        {t("crash.reload")}
      </Button>
    </div>
  );
}
