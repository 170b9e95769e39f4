import { useEffect, useMemo } from "react";
import { Navigate, useLocation, useNavigate, useParams } from "react-router-dom";
import { paths } from "@/domain/paths";
import { MediaPage } from "@/features/media/media-page";
import type { Step } from "@/features/media/media-stage";
import {
  forgetInList,
  type Neighbours,
  neighboursOf,
  openedMediaId,
  rememberList,
  rememberOpened,
} from "@/state/place";

/** Whether the history has an earlier page of this app: React Router counts its entries. */
function hasPageBefore(): boolean {
  const state: unknown = window.history.state;
  const index = typeof state === "object" && state !== null && "idx" in state ? state.idx : 0;
  return typeof index === "number" && index > 0;
}

export function ViewRoute() {
  const { slug = "" } = useParams();
  const navigate = useNavigate();
  const id = useMemo(() => openedMediaId(slug), [slug]);
  const neighbours = useMemo(() => {
    rememberList(id);
    return neighboursOf(id);
  }, [id]);
  const back = () => (hasPageBefore() ? navigate(-1) : navigate(paths.home));
  const step = (to: Step) => {
    const other = neighbours[to];
    if (other === null) return;
    rememberOpened(other.slug, other.id);
    // Replaces this entry, so that Back leads to the list and not through every media item viewed.
    void navigate(paths.slug(other.slug), { replace: true, state: { stepped: to } });
  };
  return (
    <MediaPage
      id={id}
      neighbours={neighbours}
      onStep={step}
      onBack={() => void back()}
      gone={<Gone id={id} neighbours={neighbours} />}
    />
  );
}

/** After a step to a gone media item: steps on, else back; in all other cases goes home. */
function Gone({ id, neighbours }: { id: string; neighbours: Neighbours }) {
  const stepped = useStepped();
  // Outside: the list through which the user steps.
  useEffect(() => forgetInList(id), [id]);
  const ways: Step[] = stepped === "previous" ? ["previous", "next"] : ["next", "previous"];
  const way = ways.find((one) => neighbours[one] !== null);
  const other = stepped === null || way === undefined ? null : neighbours[way];
  if (other === null) return <Navigate to={paths.home} replace />;
  return <Navigate to={paths.slug(other.slug)} state={{ stepped: way }} replace />;
}

function useStepped(): Step | null {
  const state: unknown = useLocation().state;
  const stepped =
    typeof state === "object" && state !== null && "stepped" in state ? state.stepped : null;
  return stepped === "next" || stepped === "previous" ? stepped : null;
}
