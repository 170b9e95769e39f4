/** The heart that a double tap leaves on the picture for a moment. */
import { Heart } from "lucide-react";

export function LikeBurst() {
  return (
    <span
      aria-hidden="true"
      data-testid="like-burst"
      className="pointer-events-none absolute inset-0 grid animate-burst place-items-center text-white drop-shadow-lg"
    >
      <Heart className="size-16 fill-current" />
    </span>
  );
}
