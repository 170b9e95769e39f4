/** A gradient for people without a picture: the same name always gives the same colours. */
export function avatarColors(name: string): string {
  let hash = 7;
  for (const sign of name) hash = (hash * 31 + (sign.codePointAt(0) ?? 0)) % 360;
  return `linear-gradient(135deg, hsl(${hash} 75% 46%), hsl(${(hash + 50) % 360} 70% 36%))`;
}
