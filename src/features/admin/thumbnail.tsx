/** The square picture of a medium; its blurred placeholder until it is there, and where it never will be. */
import { ImageOff } from "lucide-react";
import { useState } from "react";
import { placeholderUrl } from "@/lib/placeholder";

interface ThumbnailProps {
  media: { url: string; thumbnailUrl: string; thumbhash: string; type: string };
}

export function Thumbnail({ media }: ThumbnailProps) {
  const address = media.thumbnailUrl || (media.type === "photo" ? media.url : "");
  const [broken, setBroken] = useState("");
  const stand = placeholderUrl(media.thumbhash);
  return (
    <span className="relative block aspect-square w-full overflow-hidden bg-skeleton">
      {stand === "" && address === "" && (
        <ImageOff aria-hidden="true" className="absolute inset-0 m-auto size-7 text-muted" />
      )}
      {stand !== "" && (
        <img src={stand} alt="" className="absolute inset-0 size-full object-cover" />
      )}
      {address !== "" && broken !== address && (
        <img
          src={address}
          alt=""
          loading="lazy"
          className="absolute inset-0 size-full object-cover"
          onError={() => setBroken(address)}
        />
      )}
    </span>
  );
}
