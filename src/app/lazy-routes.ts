/** The pages that are loaded when first opened. All of them are precached, so that they open offline. */
import { lazy } from "react";

export const LoginRoute = lazy(() =>
  import("@/routes/login-route").then((file) => ({ default: file.LoginRoute })),
);
export const SignupRoute = lazy(() =>
  import("@/routes/signup-route").then((file) => ({ default: file.SignupRoute })),
);
export const UploadRoute = lazy(() =>
  import("@/routes/upload-route").then((file) => ({ default: file.UploadRoute })),
);
export const ViewRoute = lazy(() =>
  import("@/routes/view-route").then((file) => ({ default: file.ViewRoute })),
);
export const LegalRoute = lazy(() =>
  import("@/routes/legal-route").then((file) => ({ default: file.LegalRoute })),
);
export const NotFoundRoute = lazy(() =>
  import("@/routes/not-found-route").then((file) => ({ default: file.NotFoundRoute })),
);
