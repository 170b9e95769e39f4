/** The title of a page that another one leads to, and the way back there. */
import { ArrowLeft } from "lucide-react";
import { Link } from "react-router-dom";

interface PageHeadProps {
  title: string;
  /** Address, and what the way there is called. */
  back: string;
  backLabel: string;
}

export function PageHead({ title, back, backLabel }: PageHeadProps) {
  return (
    <div className="-ms-3 mb-3 flex items-center gap-1">
      <Link to={back} className="shell-icon" aria-label={backLabel} data-testid="back">
        <ArrowLeft aria-hidden="true" />
      </Link>
      <h1
        dir="auto"
        tabIndex={-1}
        className="min-w-0 text-[1.625rem] leading-tight font-bold tracking-tight wrap-anywhere outline-none"
      >
        {title}
      </h1>
    </div>
  );
}
