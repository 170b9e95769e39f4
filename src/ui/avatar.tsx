/** A person's picture over the first letter of the name. Decoration next to the name. */
import { useEffect, useState } from "react";
import { avatarColors } from "./avatar-colors";

const SMALL_PX = 26;
const LETTER = 0.42;
/** A picture that has not loaded by then is given up, milliseconds (specification §8, §9). */
export const PICTURE_TIMEOUT_MS = 3_000;

interface AvatarProps {
  name: string;
  src?: string;
  size?: number;
}

export function Avatar({ name, src = "", size = SMALL_PX }: AvatarProps) {
  const look = {
    background: avatarColors(name),
    ...(size !== SMALL_PX && {
      width: size,
      height: size,
      lineHeight: `${size}px`,
      fontSize: `${(size * LETTER) / 16}rem`,
    }),
  };
  return (
    <span aria-hidden="true" className="shell-face relative" style={look}>
      {[...name][0]}
      {src !== "" && <Face key={src} src={src} />}
    </span>
  );
}

/** Visible only once loaded: until then, and for good on failure or timeout, the letter shows. */
function Face({ src }: { src: string }) {
  const [state, setState] = useState<"coming" | "there" | "given-up">("coming");
  // Outside: the clock.
  useEffect(() => {
    if (state !== "coming") return;
    const timer = setTimeout(() => setState("given-up"), PICTURE_TIMEOUT_MS);
    return () => clearTimeout(timer);
  }, [state]);
  if (state === "given-up") return null;
  return (
    <img
      src={src}
      alt=""
      data-testid="face"
      data-state={state}
      className={`absolute inset-0 size-full object-cover ${state === "there" ? "bg-surface" : "opacity-0"}`}
      onLoad={() => setState("there")}
      onError={() => setState("given-up")}
    />
  );
}
