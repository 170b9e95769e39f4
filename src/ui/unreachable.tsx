/** What could not be asked for: without a network, or because the server is slow or has a fault. */
import { CloudOff, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./button";
import { EmptyState } from "./empty-state";

/** Only `network` means that one is offline. */
export const serverTrouble = (code: string) =>
  code === "timeout" ? "errors.timeout" : "app.serverFault";

interface UnreachableProps {
  testId: string;
  /** Why: the code of the failed request. */
  code: string;
  children?: ReactNode;
}

/** Never says that the thing does not exist: nobody has answered that. */
export function Unreachable({ testId, code, children }: UnreachableProps) {
  const { t } = useTranslation();
  const offline = code === "network";
  return (
    <EmptyState
      page
      testId={testId}
      passing
      icon={offline ? <CloudOff /> : <TriangleAlert />}
      title={t(offline ? "app.offline" : "app.loadFailed")}
      text={t(offline ? "app.notHereYet" : serverTrouble(code))}
    >
      {children}
      <Button data-testid="try-again" onClick={() => location.reload()}>
        {t("app.tryAgain")}
      </Button>
    </EmptyState>
  );
}
