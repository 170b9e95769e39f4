/** Terms of service and privacy policy (specification §2 /terms). */
import { useTranslation } from "react-i18next";
import { dateText } from "@/i18n/formats";
import type { TextKey } from "@/i18n/keys";
import { plain } from "@/i18n/say";
import { useSettings } from "@/state/page";
import { Skeleton } from "@/ui/loading";
import { RichText } from "@/ui/rich-text";

type LegalId = "terms" | "privacy";

const TEXTS: Record<LegalId, { title: TextKey; none: TextKey; notice: TextKey }> = {
  terms: { title: "nav.terms", none: "legal.noTerms", notice: "legal.noTermsNotice" },
  privacy: { title: "nav.privacy", none: "legal.noPrivacy", notice: "legal.noPrivacyNotice" },
};

export function LegalTexts({ first }: { first: LegalId }) {
  return (
    <div className="grid gap-12">
      <LegalText id={first} main />
      <LegalText id={first === "terms" ? "privacy" : "terms"} main={false} />
    </div>
  );
}

function LegalText({ id, main }: { id: LegalId; main: boolean }) {
  const { t } = useTranslation();
  const text = useSettings(id);
  const Heading = main ? "h1" : "h2";
  const updated = text.state === "ready" ? text.value.lastUpdated : null;
  return (
    <section
      {...(main ? {} : { "data-behind": "" })}
      data-testid={`legal-${id}`}
      aria-labelledby={`${id}-title`}
    >
      <Heading
        id={`${id}-title`}
        className="text-[1.375rem] leading-tight font-bold tracking-tight wrap-anywhere min-[360px]:text-[1.625rem]"
      >
        {t(TEXTS[id].title)}
      </Heading>
      {/* The margin of a heading in it would move it. */}
      <div className="mt-4 flow-root [&_.rich-text>:first-child]:mt-0">
        <LegalBody id={id} />
      </div>
      {/* At the end: above the text it would move it, where it comes a moment later. */}
      {updated !== null && (
        <p className="mt-4 text-sm text-muted">
          {t("legal.updated", { date: plain(t, dateText(updated)) })}
        </p>
      )}
    </section>
  );
}

/** Loading, not on this device, not written yet, and the text are four different states. */
function LegalBody({ id }: { id: LegalId }) {
  const { t } = useTranslation();
  const text = useSettings(id);
  if (text.state === "loading") {
    return (
      <div className="grid gap-2.5" role="status">
        <span className="sr-only">{t("app.loading")}</span>
        {["w-full", "w-11/12", "w-4/5"].map((width) => (
          <Skeleton key={width} className={`h-4 ${width}`} />
        ))}
      </div>
    );
  }
  if (text.state === "ready" && text.value.content.trim() !== "") {
    return <RichText html={text.value.content} />;
  }
  // That no text was written is said only if the server said so; failures keep the placeholder.
  const notice = text.state === "ready" ? TEXTS[id].notice : "legal.offline";
  return (
    <div data-testid={`legal-none-${id}`} className="rounded-2xl border border-line bg-surface p-5">
      <p className="font-semibold">{t(TEXTS[id].none)}</p>
      <p className="mt-1 text-sm text-muted">{t(notice)}</p>
    </div>
  );
}
