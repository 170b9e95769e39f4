/** How strong the password is: three steps and a word (specification §5). */
import { passwordStrength } from "@/domain/accounts";
import { useText } from "@/i18n/use-text";

const LOOK = {
  weak: { steps: 1, color: "bg-danger", text: "auth.weak" },
  medium: { steps: 2, color: "bg-accent", text: "auth.medium" },
  strong: { steps: 3, color: "bg-ok", text: "auth.strong" },
} as const;

export function StrengthMeter({ password }: { password: string }) {
  const { t } = useText();
  if (password === "") return null;
  const strength = passwordStrength(password);
  const { steps, color, text } = LOOK[strength];
  return (
    <div className="-mt-2 flex items-center gap-3" data-testid="strength" data-strength={strength}>
      <div className="grid flex-1 grid-cols-3 gap-1.5" aria-hidden="true">
        {[1, 2, 3].map((step) => (
          <span key={step} className={`h-1.5 rounded-full ${step <= steps ? color : "bg-line"}`} />
        ))}
      </div>
      <p className="min-w-16 text-right text-[13px] text-muted" role="status">
        <span className="sr-only">{t("auth.strength")} </span>
        {t(text)}
      </p>
    </div>
  );
}
