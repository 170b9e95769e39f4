/** Rules of an e-mail address (specification §5): required, and address-like. */
export type EmailFault = "email_required" | "email_invalid";

const ADDRESS = /^[^\s@"<>()]+@[^\s@"<>()]+\.[^\s@"<>().]{2,}$/;

export function emailFault(email: string): EmailFault | null {
  const trimmed = email.trim();
  if (trimmed === "") return "email_required";
  return trimmed.length <= 254 && ADDRESS.test(trimmed) ? null : "email_invalid";
}

/** As it is stored and compared: trimmed and in lower case. */
export const normalEmail = (email: string): string => email.trim().toLowerCase();
