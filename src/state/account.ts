/** Changes of one's own account, for forms. Each asks the server. */
import type { DeletedAccount } from "@/data/client";
import type { ProfileChanges, Served } from "@/data/service-api";
import type { SessionUser } from "@/data/shapes";
import type { Result } from "@/domain/result";
import { whenClient } from "./client-store";
import { wipeFirstScreen } from "./first-screen";

export const updateEmail = async (email: string, password: string): Promise<Result<SessionUser>> =>
  (await whenClient()).auth.updateEmail(email, password);

export const updatePassword = async (
  current: string,
  next: string,
  confirmation: string,
): Promise<Result<SessionUser>> =>
  (await whenClient()).auth.updatePassword(current, next, confirmation);

export const endSessions = async (): Promise<Result<SessionUser>> =>
  (await whenClient()).auth.endSessions();

export async function deleteAccount(password: string): Promise<DeletedAccount> {
  const { auth } = await whenClient();
  const deleted = await auth.deleteAccount(password);
  if (deleted.success) wipeFirstScreen(localStorage);
  // Marks the session as one that needs its password again, which /login then asks for.
  else if (deleted.requiresReauth) await auth.refresh();
  return deleted;
}

/** `queued`: it was kept on this device, because the server gave no answer. */
export interface SavedProfile extends Served {
  queued: boolean;
}

export async function saveProfile(changes: ProfileChanges): Promise<SavedProfile> {
  const { service, connection } = await whenClient();
  const saved = await service.updateProfile(changes);
  return { ...saved, queued: saved.success && connection.getSnapshot() === "offline" };
}

export async function deleteProfilePicture(): Promise<SavedProfile> {
  const { service, connection } = await whenClient();
  const saved = await service.deleteProfilePicture();
  return { ...saved, queued: saved.success && connection.getSnapshot() === "offline" };
}
