import { type PocketBase, startPocketBase } from "@tests/support/pocketbase";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Client } from "@/data/client";
import { createDevice, type Device } from "./device";
import { until } from "./live";
import { PASSWORD, signUp } from "./people";

const NEXT = "Apfelkuchen-8";

let server: PocketBase;
let device: Device;
let client: Client;
let me: { id: string; username: string; email: string };
beforeAll(async () => {
  server = await startPocketBase();
});
beforeEach(async () => {
  device = createDevice(server.url);
  client = device.start();
  me = await signUp(client);
  return () => client.close();
});
afterAll(async () => {
  await server?.stop();
});

const signInAnswer = async (identity: string, password: string) =>
  (await server.api("POST", "/api/collections/users/auth-with-password", { identity, password }))
    .status;

test("the address changes with the current password alone, and the session goes on", async () => {
  const { auth } = client;
  expect(await auth.updateEmail("no address", PASSWORD)).toMatchObject({ error: "email_invalid" });
  expect(await auth.updateEmail("new@example.com", "wrong")).toMatchObject({
    error: "wrong_password",
  });
  expect(await signInAnswer(me.email, PASSWORD)).toBe(200);
  expect(await auth.updateEmail("New@Example.com", PASSWORD)).toMatchObject({
    success: true,
    value: { email: "new@example.com" },
  });
  expect(await signInAnswer("new@example.com", PASSWORD)).toBe(200);
  expect(await auth.refresh()).toMatchObject({ success: true });
});

test("the password changes with the current one and an equal confirmation, and the session goes on", async () => {
  const { auth } = client;
  expect(await auth.updatePassword(PASSWORD, "short", "short")).toMatchObject({
    error: "password_short",
  });
  expect(await auth.updatePassword(PASSWORD, NEXT, "another")).toMatchObject({
    error: "password_mismatch",
  });
  expect(await auth.updatePassword("wrong", NEXT, NEXT)).toMatchObject({ error: "wrong_password" });
  expect(await signInAnswer(me.email, PASSWORD)).toBe(200);
  expect(await auth.updatePassword(PASSWORD, NEXT, NEXT)).toMatchObject({ success: true });
  expect(await signInAnswer(me.email, NEXT)).toBe(200);
  expect(await auth.refresh()).toMatchObject({ success: true });
  expect(await auth.reauthenticate("wrong")).toMatchObject({ error: "wrong_password" });
  expect(await auth.reauthenticate(NEXT)).toMatchObject({ success: true, value: { id: me.id } });
});

test("a deleted account is gone from the server and from the device", async () => {
  const { auth } = client;
  expect(await auth.deleteAccount("wrong")).toMatchObject({
    success: false,
    error: "wrong_password",
    requiresReauth: false,
  });
  expect(await auth.deleteAccount(PASSWORD)).toEqual({
    success: true,
    value: null,
    requiresReauth: false,
  });
  await until(auth.session, (session) => session.state === "signed-out");
  expect(await signInAnswer(me.email, PASSWORD)).not.toBe(200);
  expect((await device.databases()).filter((name) => name.includes(me.id))).toEqual([]);
});

test("a session that no longer counts has to sign in before the account can be deleted", async () => {
  const other = createDevice(server.url).start();
  await other.auth.signIn(me.email, PASSWORD);
  expect(await other.auth.updatePassword(PASSWORD, NEXT, NEXT)).toMatchObject({ success: true });
  await other.close();
  expect(await client.auth.deleteAccount(PASSWORD)).toMatchObject({
    success: false,
    requiresReauth: true,
  });
  expect(await signInAnswer(me.email, NEXT)).toBe(200);
});
