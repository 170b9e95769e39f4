import { useMemo } from "react";
import { useLocation, useNavigate, useParams } from "react-router-dom";
import { paths } from "@/domain/paths";
import { MediaPage } from "@/features/media/media-page";
import { openedMediaId } from "@/state/media-memory";

export function ViewRoute() {
  const { slug = "" } = useParams();
  const navigate = useNavigate();
  const { key } = useLocation();
  const id = useMemo(() => openedMediaId(slug, sessionStorage), [slug]);
  // Opened by its address, there is no page before it.
  const back = () => (key === "default" ? navigate(paths.home) : navigate(-1));
  return <MediaPage key={id} id={id} onBack={() => void back()} />;
}
