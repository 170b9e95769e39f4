/** Someone's face: the picture, or the first letter on colours that belong to the name. Decoration beside the name. */
import { avatarColors } from "./avatar-colors";
import { cn } from "./cn";

export function Avatar({
  name,
  src,
  className,
}: {
  name: string;
  src?: string;
  className?: string;
}) {
  const first = [...name][0] ?? "";
  return (
    <span
      aria-hidden="true"
      className={cn(
        "shell-face inline-grid place-items-center overflow-hidden font-bold text-white",
        className,
      )}
      style={{ background: avatarColors(name) }}
    >
      {src === undefined || src === "" ? (
        <span className="text-[0.42em] leading-none uppercase">{first}</span>
      ) : (
        <img src={src} alt="" className="size-full object-cover" />
      )}
    </span>
  );
}
