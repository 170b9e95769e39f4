/** Hands on a profile: as a code for another phone's camera, also offline, or as a link. */

import { correction, generate } from "lean-qr/nano";
import { Share2 } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { paths } from "@/domain/paths";
import { shareProfile } from "@/state/share";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";

interface ShareDialogProps {
  username: string;
  onClose: () => void;
}

export function ShareDialog({ username, onClose }: ShareDialogProps) {
  const { t } = useTranslation();
  const url = location.origin + paths.user(username);
  return (
    <Dialog title={t("people.shareTitle", { name: username })} onClose={onClose}>
      <Code text={url} label={t("people.code", { name: username })} />
      <p className="text-center text-sm text-muted wrap-anywhere" data-testid="profile-link">
        {url}
      </p>
      <Button
        variant="accent"
        data-testid="share-profile-link"
        onClick={() => void shareProfile(username)}
      >
        <Share2 aria-hidden="true" />
        {t("people.shareLink")}
      </Button>
    </Dialog>
  );
}

/** Modules of white that a reader needs around the code (ISO/IEC 18004). */
const QUIET = 4;

/** Black on white in every theme: not every reader knows the reverse. */
function Code({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => drawCode(text), [text]);
  const side = size + 2 * QUIET;
  return (
    <svg
      role="img"
      aria-label={label}
      data-testid="profile-code"
      viewBox={`${-QUIET} ${-QUIET} ${side} ${side}`}
      shapeRendering="crispEdges"
      className="mx-auto w-full max-w-72 rounded-2xl border border-line bg-white"
    >
      <path d={path} fill="#000" />
    </svg>
  );
}

/** One square for each dark module. */
function drawCode(text: string): { size: number; path: string } {
  const code = generate(text, { minCorrectionLevel: correction.M });
  const squares: string[] = [];
  for (let y = 0; y < code.size; y++) {
    for (let x = 0; x < code.size; x++) if (code.get(x, y)) squares.push(`M${x} ${y}h1v1h-1z`);
  }
  return { size: code.size, path: squares.join("") };
}
