/** Says that there is nothing here, or why not: an icon, a sentence, an action. */
import type { ReactNode } from "react";

export interface EmptyStateProps {
  icon: ReactNode;
  title: ReactNode;
  text?: ReactNode;
  children?: ReactNode;
  testId: string;
  /** Its title is the page's own heading. */
  page?: boolean;
  /** It says what failed, and not what is. */
  passing?: boolean;
}

export function EmptyState(props: EmptyStateProps) {
  const { icon, title, text, children, testId, page = false, passing = false } = props;
  const Heading = page ? "h1" : "h2";
  return (
    <div
      data-testid={testId}
      {...(passing && { "data-passing": "" })}
      className="mx-auto flex max-w-sm flex-col items-center gap-3 px-4 py-16 text-center"
    >
      <span
        aria-hidden="true"
        className="mb-1 grid size-16 place-items-center rounded-full bg-surface text-muted [&_svg]:size-7"
      >
        {icon}
      </span>
      <Heading className="text-lg font-bold text-balance">{title}</Heading>
      {text !== undefined && <p className="text-muted text-pretty">{text}</p>}
      {children !== undefined && (
        <div className="mt-2 flex flex-wrap justify-center gap-2">{children}</div>
      )}
    </div>
  );
}
