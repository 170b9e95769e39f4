/** Someone's face: the picture, or the first letter on colours that belong to the name. Decoration beside the name. */
import { avatarColors } from "./avatar-colors";

const SMALL_PX = 26;
/** Of the letter, as a share of the face. */
const LETTER = 0.42;

export function Avatar({
  name,
  src = "",
  size = SMALL_PX,
}: {
  name: string;
  src?: string;
  size?: number;
}) {
  const look = {
    background: avatarColors(name),
    ...(size !== SMALL_PX && {
      width: size,
      height: size,
      lineHeight: `${size}px`,
      fontSize: size * LETTER,
    }),
  };
  return (
    <span aria-hidden="true" className="shell-face" style={look}>
      {src === "" ? [...name][0] : <img src={src} alt="" className="size-full object-cover" />}
    </span>
  );
}
