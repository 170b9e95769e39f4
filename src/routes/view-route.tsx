import { useEffect, useMemo } from "react";
import { Navigate, useLocation, useNavigate, useParams } from "react-router-dom";
import { paths } from "@/domain/paths";
import { DeletedMedia, MediaPage } from "@/features/media/media-page";
import type { Step } from "@/features/media/media-stage";
import {
  forgetInList,
  type Neighbours,
  neighboursOf,
  type Opened,
  openedMediaId,
  pageOfTab,
  rememberList,
  rememberOpened,
} from "@/state/place";
import { useUser } from "@/state/session";
import { fieldsOf } from "@/state/stored";
import { showToast } from "@/state/toasts";

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
  // Whoever is signed in now sees nothing that was for another.
  const viewer = useUser()?.id ?? "";
  const neighbours = useMemo(() => {
    rememberList(id);
    return neighboursOf(id);
  }, [id]);
  const { state } = useLocation();
  const back = () => {
    // Led here by a tab, the page before is one of another tab.
    const page = pageOfTab(state);
    if (page !== null) return navigate(page.to, { state: page.state });
    return hasPageBefore() ? navigate(-1) : navigate(paths.home);
  };
  const step = (to: Step, other: Opened) => {
    rememberOpened(other.slug, other.id);
    // Replaces this entry, so that Back leads to the list and not through every media item viewed.
    const stepped = { ...fieldsOf(state), stepped: to };
    void navigate(paths.slug(other.slug), { replace: true, state: stepped });
  };
  return (
    <MediaPage
      key={viewer}
      id={id}
      onStep={step}
      onBack={() => void back()}
      gone={(wasShown) => <Gone {...{ id, neighbours, wasShown }} />}
    />
  );
}

interface GoneProps {
  id: string;
  neighbours: Neighbours;
  wasShown: boolean;
}

/** After a step it goes on that way, else back. A dead link goes home. */
function Gone({ id, neighbours, wasShown }: GoneProps) {
  const state = fieldsOf(useLocation().state);
  const stepped = steppedOf(state);
  // Outside: the list through which the user steps.
  useEffect(() => forgetInList(id), [id]);
  const ways: Step[] = stepped === "previous" ? ["previous", "next"] : ["next", "previous"];
  const way = ways.find((one) => neighbours[one] !== null);
  const other = stepped === null || way === undefined ? null : neighbours[way];
  // The page itself says what was deleted while somebody looked at it.
  const isNews = wasShown === (other !== null);
  // Outside: the notification area.
  useEffect(() => {
    if (isNews) showToast({ title: { key: "media.notFound" } });
  }, [isNews]);
  if (other !== null)
    return <Navigate to={paths.slug(other.slug)} state={{ ...state, stepped: way }} replace />;
  return wasShown ? <DeletedMedia /> : <Navigate to={paths.home} replace />;
}

const steppedOf = ({ stepped }: ReturnType<typeof fieldsOf>): Step | null =>
  stepped === "next" || stepped === "previous" ? stepped : null;
