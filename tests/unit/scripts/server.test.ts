import { createServer, type Server } from "node:net";
import path from "node:path";
import { ROOT } from "@scripts/checkout.mjs";
import { readServerSettings, requireFreePort } from "@scripts/server.mjs";
import { expect, test } from "vitest";

test("everything has a default", () => {
  const dataDir = path.join(ROOT, "pb_data");
  const settings = { host: "127.0.0.1", port: 8090, dataDir, url: "http://127.0.0.1:8090" };
  expect(readServerSettings({})).toEqual(settings);
  expect(readServerSettings({ PORT: "", HOST: "", DATA_DIR: "" })).toEqual(settings);
});

test.each([
  ["0.0.0.0", "http://127.0.0.1:80"],
  ["::", "http://127.0.0.1:80"],
  ["::1", "http://[::1]:80"],
  ["192.168.1.5", "http://192.168.1.5:80"],
])("the address for HOST=%s can be opened in a browser", (host, url) => {
  expect(readServerSettings({ HOST: host, PORT: "80" }).url).toBe(url);
});

test.each(["0", "65536", "http", "80.5", "-1"])("PORT=%s is refused", (port) => {
  expect(() => readServerSettings({ PORT: port })).toThrow(`PORT is "${port}"`);
});

test("a port that somebody listens on is named", async () => {
  const other = await new Promise<Server>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => resolve(server));
  });
  const { port } = other.address() as { port: number };
  const settings = readServerSettings({ PORT: String(port) });
  await expect(requireFreePort(settings)).rejects.toThrow(`Port ${port} on 127.0.0.1 is in use`);
  await new Promise((resolve) => other.close(resolve));
  await requireFreePort(settings);
});
