/** Where a link in the operator's texts may lead: elsewhere on the web, to a mailbox, within this site. Never a script. */
const SAFE_LINK = /^(https?:\/\/|mailto:|\/|#)/i;

export const isSafeLink = (href: string): boolean => SAFE_LINK.test(href.trim());
