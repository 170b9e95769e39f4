/** Requests of which half a body comes and then nothing: others are answered meanwhile, and no engine waits for long. */
import { statSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { must, type Stage, setStage } from "@tests/integration/rules/stage";
import type { SignedIn } from "@tests/support/pocketbase";
import { beginUpload } from "@tests/support/tus";
import { afterAll, beforeAll, expect, test } from "vitest";

let stage: Stage;
let mediaId: string;
const sockets: Socket[] = [];
beforeAll(async () => {
  stage = await setStage();
  mediaId = await stage.media(stage.ann);
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  return stage.server.stop();
});

interface Half {
  socket: Socket;
  /** What the server will say. */
  answer: Promise<string>;
  /** Once it reads the body, where the head asks to be told so, or has answered. */
  isRead: Promise<void>;
}

const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

/** Resolves once the head and the half of a body of 1,000 bytes are sent. */
function sendHalf(
  request: string,
  headers: string[],
  half: string,
  { token } = stage.bob,
): Promise<Half> {
  return new Promise((resolve, reject) => {
    const socket = connect(stage.server.port, "127.0.0.1");
    sockets.push(socket);
    socket.on("error", reject);
    let said = "";
    const heard = (test: () => boolean) =>
      new Promise<void>((done) => socket.on("data", () => test() && done()));
    socket.on("data", (part) => {
      said += String(part);
    });
    const isRead = heard(() => said !== "");
    const rest = () => said.replace(CONTINUE, "");
    const answer = heard(() => rest() !== "").then(rest);
    const head = [
      `${request} HTTP/1.1`,
      "Host: localhost",
      `Authorization: ${token}`,
      "Content-Length: 1000",
      ...headers,
    ];
    socket.write([...head, "", half].join("\r\n"), () => resolve({ socket, answer, isRead }));
  });
}

test("fifty of one address hold up nobody, and are answered when their time is over", async () => {
  const path = ["/api/account/email", "/api/collections/comments/records"];
  const many = await Promise.all(
    Array.from({ length: 100 }, (_, i) =>
      sendHalf(
        `POST ${path[i % 2]}`,
        ["Content-Type: application/json"],
        '{"email": "new@example.com", "password": "',
      ),
    ),
  );
  let isWaiting = true;
  const own = many.filter((_, i) => i % 2 === 0);
  const answers = Promise.all(own.map(({ answer }) => answer)).then((all) => {
    isWaiting = false;
    return all;
  });
  for (let i = 0; i < 20; i += 1) {
    const comment = { mediaId, userId: stage.bob.id, text: `Word ${i}` };
    must(await stage.create("comments", comment, stage.bob));
  }
  expect(isWaiting).toBe(true);
  // The first ones were read, the others are too many guesses at one password.
  for (const answer of await answers) expect(answer).toMatch(/^HTTP\/1\.1 4(00|29) /);
});

test("of one account six forms are read at a time, and those of others beside them", async () => {
  const begin = '--edge\r\nContent-Disposition: form-data; name="id"\r\n\r\n';
  const type = "Content-Type: multipart/form-data; boundary=edge";
  const half = (who: SignedIn) =>
    sendHalf("POST /api/media", [type, "Expect: 100-continue"], begin, who);
  const finish = async (who: SignedIn) => {
    const form = new FormData();
    form.set("id", "none");
    return (await stage.server.api("POST", "/api/media", form, who.token)).status;
  };
  // Each once the one before is read: of those that come in the same moment one too many may be
  // let in.
  const many: Half[] = [];
  const refused: string[] = [];
  const send = async () => {
    const one = await half(stage.bob);
    many.push(one);
    void one.answer.then((text) => refused.push(text));
    return one;
  };
  while ((await finish(stage.bob)) !== 429) await (await send()).isRead;
  expect(many.length).toBeGreaterThanOrEqual(6);
  for (let more = 0; more < 4; more += 1) await send();
  await expect.poll(() => refused.length).toBe(many.length - 6);
  for (const text of refused) {
    expect(text).toMatch(/^HTTP\/1\.1 429 /);
    expect(text).toMatch(/^Retry-After: 5\r$/m);
  }
  // Read, and found wanting.
  expect(await finish(stage.ann)).toBe(400);
  for (const { socket } of many) socket.destroy();
  await expect.poll(() => finish(stage.bob)).toBe(400);
});

test("an upload that receives nothing from one minute to the next lets go, and no other", async () => {
  const { server, superuser } = stage;
  const begin = () => beginUpload(server, stage.bob.token, 1_000);
  const [dead, slow] = [await begin(), await begin()];
  const about = ["Tus-Resumable: 1.0.0", "Content-Type: application/offset+octet-stream"];
  const half = (path: string) =>
    sendHalf(`PATCH ${path}`, [...about, "Upload-Offset: 0"], "x".repeat(400));
  const size = (path: string) =>
    statSync(`${server.dataDir}_uploads/${path.split("/").at(-1)}`).size;
  const minute = async () =>
    must(await server.api("POST", "/api/crons/endIdleWriters", undefined, superuser.token));
  const [stalled, goesOn] = [await half(dead), await half(slow)];
  await expect.poll(() => [size(dead), size(slow)]).toEqual([400, 400]);
  await minute();
  goesOn.socket.write("x".repeat(600));
  expect(await goesOn.answer).toMatch(/^HTTP\/1\.1 204 /);
  let isOver = false;
  const answer = stalled.answer.finally(() => {
    isOver = true;
  });
  // A schedule that is started here runs beside its answer.
  const minuteLater = async () => {
    await minute();
    return isOver;
  };
  await expect.poll(minuteLater).toBe(true);
  expect(await answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(size(dead)).toBe(400);
});
