/** A person as a screen shows them. */
import type { ProfileView } from "@/data/client-api";
import type { ProfileRow } from "@/data/schema/profiles";

export function profileView(row: ProfileRow, address: (path: string) => string): ProfileView {
  const { nameKey, seq, ...shown } = row;
  return {
    ...shown,
    profilePictureUrl: address(row.profilePictureUrl),
    profileThumbnailUrl: address(row.profileThumbnailUrl || row.profilePictureUrl),
  };
}
