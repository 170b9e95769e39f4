/** The frame of both forms: mark, heading, form, and the way to the other one. */
import type { ReactNode } from "react";
import { EyeMark } from "@/ui/eye-mark";

interface AuthCardProps {
  title: string;
  text: string;
  children: ReactNode;
  footer: ReactNode;
}

export function AuthCard({ title, text, children, footer }: AuthCardProps) {
  return (
    <section className="mx-auto w-full max-w-[420px] pt-4 md:pt-10">
      <EyeMark className="mb-3 size-11" />
      <h1 className="text-[26px] leading-tight font-bold tracking-tight">{title}</h1>
      <p className="mt-1 mb-6 text-muted">{text}</p>
      {children}
      <p className="mt-5 flex flex-wrap items-center gap-x-1.5 text-[15px] text-muted">{footer}</p>
    </section>
  );
}
