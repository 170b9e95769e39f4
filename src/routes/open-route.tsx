/** Where the system leads with a link of our own scheme, `web+augenblick:view/…`. */
import { Navigate, useSearchParams } from "react-router-dom";
import { pathOfLink } from "@/domain/paths";

export function OpenRoute() {
  const [search] = useSearchParams();
  return <Navigate to={pathOfLink(search.get("link") ?? "")} replace />;
}
