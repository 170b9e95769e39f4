/** A stage with an admin's client on it: what the panel's screens have in their hands. */
import { createDevice } from "@tests/integration/client/device";
import { type Stage, setStage } from "@tests/integration/rules/stage";
import type { AdminClient } from "@/data/admin/admin-client";
import type { Client } from "@/data/client";
import type { Result } from "@/domain/result";

export interface Panel extends Stage {
  client: Client;
  /** `client.admin`. */
  panel: AdminClient;
  close(): Promise<void>;
}

export async function openPanel(): Promise<Panel> {
  const stage = await setStage();
  const client = createDevice(stage.server.url).start();
  value(await client.auth.signIn(stage.admin.email, stage.admin.password));
  const close = async () => {
    await client.close();
    await stage.server.stop();
  };
  return { ...stage, client, panel: client.admin, close };
}

/** What came of it; throws for a failure that the test does not expect. */
export function value<T>(result: Result<T>): T {
  if (result.success) return result.value;
  throw new Error(`${result.error} ${result.message ?? ""}`);
}
