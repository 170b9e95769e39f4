/** Leads a visitor to /login, and from there back to this page. */
import { useCallback } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { paths } from "@/domain/paths";
import { withReturn } from "@/lib/return-path";

export function useToLogin(): () => void {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  return useCallback(
    () => void navigate(withReturn(paths.login, `${pathname}${search}`)),
    [navigate, pathname, search],
  );
}
