/** The composition root: every route inside the layout. Only the gallery is in the first chunk. */
import { StrictMode } from "react";
import { Route, Routes } from "react-router-dom";
import { HomeRoute } from "@/routes/home-route";
import { AddressRouter } from "./address-router";
import { Layout } from "./layout";
import {
  AdminRoute,
  ChatRoute,
  ChatsRoute,
  DeviceRoute,
  ExploreRoute,
  LegalRoute,
  LoginRoute,
  MailRoute,
  NotFoundRoute,
  NotificationsRoute,
  OpenRoute,
  OutboxRoute,
  ProfileRoute,
  SignupRoute,
  TagRoute,
  UploadRoute,
  UserRoute,
  ViewRoute,
} from "./lazy-parts";

export function App() {
  return (
    <StrictMode>
      <AddressRouter>
        <Routes>
          <Route element={<Layout />}>
            <Route path="/" element={<HomeRoute />} />
            <Route path="/login" element={<LoginRoute />} />
            <Route path="/signup" element={<SignupRoute />} />
            <Route path="/forgot-password" element={<MailRoute page="forgot" />} />
            <Route path="/reset-password" element={<MailRoute page="reset" />} />
            <Route path="/verify" element={<MailRoute page="verify" />} />
            <Route path="/upload" element={<UploadRoute />} />
            <Route path="/outbox" element={<OutboxRoute />} />
            <Route path="/device" element={<DeviceRoute />} />
            <Route path="/notifications" element={<NotificationsRoute />} />
            <Route path="/chat" element={<ChatsRoute />} />
            <Route path="/chat/:conversationId" element={<ChatRoute />} />
            <Route path="/view/:slug" element={<ViewRoute />} />
            <Route path="/explore" element={<ExploreRoute />} />
            <Route path="/tag/:tag" element={<TagRoute />} />
            <Route path="/user/:username" element={<UserRoute />} />
            <Route path="/profile" element={<ProfileRoute />} />
            <Route path="/profil" element={<ProfileRoute />} />
            <Route path="/admin" element={<AdminRoute />} />
            <Route path="/terms" element={<LegalRoute first="terms" />} />
            <Route path="/privacy" element={<LegalRoute first="privacy" />} />
            <Route path="/open" element={<OpenRoute />} />
            <Route path="*" element={<NotFoundRoute />} />
          </Route>
        </Routes>
      </AddressRouter>
    </StrictMode>
  );
}
