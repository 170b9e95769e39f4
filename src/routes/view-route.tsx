import { useMemo } from "react";
import { useNavigate, useParams } from "react-router-dom";
import { paths } from "@/domain/paths";
import { MediaPage } from "@/features/media/media-page";
import type { Step } from "@/features/media/media-stage";
import { openedMediaId, rememberOpened } from "@/state/media-memory";
import { neighboursOf, rememberList } from "@/state/opened-list";

/** Whether the history has a page of ours before this one: React Router counts its entries. */
function hasPageBefore(): boolean {
  const state: unknown = window.history.state;
  const index = typeof state === "object" && state !== null && "idx" in state ? state.idx : 0;
  return typeof index === "number" && index > 0;
}

export function ViewRoute() {
  const { slug = "" } = useParams();
  const navigate = useNavigate();
  const id = useMemo(() => openedMediaId(slug, sessionStorage), [slug]);
  const neighbours = useMemo(() => {
    rememberList(id, sessionStorage);
    return neighboursOf(id, sessionStorage);
  }, [id]);
  const back = () => (hasPageBefore() ? navigate(-1) : navigate(paths.home));
  const step = (to: Step) => {
    const other = neighbours[to];
    if (other === null) return;
    rememberOpened(other.slug, other.id, sessionStorage);
    // In place of this one, so that Back leads to the list and not through everything that was looked at.
    void navigate(paths.slug(other.slug), { replace: true });
  };
  return <MediaPage id={id} neighbours={neighbours} onStep={step} onBack={() => void back()} />;
}
