import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Fault, type FaultProxy, startFaultProxy } from "@tests/support/fault-proxy";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

/** What the server behind the proxy got. */
interface Arrived {
  path: string;
  body: string;
  complete: boolean;
}

let arrived: Arrived[];
let changed: () => void;
let server: Server;
let proxy: FaultProxy;
let faults: Fault[];

async function answerTo(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
  const got: Arrived = { path: incoming.url ?? "", body: "", complete: false };
  arrived.push(got);
  incoming.on("data", (part) => {
    got.body += String(part);
    changed();
  });
  incoming.on("close", () => changed());
  incoming.on("error", () => changed());
  incoming.on("end", () => {
    got.complete = true;
    if (got.path === "/stream") {
      answer.writeHead(200, { "Content-Type": "text/event-stream" });
      answer.write("data: first\n\n");
      return;
    }
    answer.writeHead(201, { "Content-Type": "application/json" });
    answer.end(JSON.stringify({ number: arrived.length, said: got.body }));
  });
}

beforeEach(async () => {
  arrived = [];
  changed = () => {};
  faults = [];
  server = createServer((incoming, answer) => void answerTo(incoming, answer));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  proxy = await startFaultProxy({
    target: `http://127.0.0.1:${port}`,
    decide: ({ ordinal }) => faults[ordinal] ?? { kind: "pass" },
  });
});
afterEach(async () => {
  await proxy.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const post = (path: string, body = "hello") =>
  fetch(`${proxy.url}${path}`, { method: "POST", body });

/** Resolves when what the server got is as wanted. */
function untilArrived(test: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    changed = () => {
      if (test()) resolve();
    };
    changed();
  });
}

describe("a request through the proxy", () => {
  test("whose answer is withheld is done, and answered when that ends", async () => {
    let release = () => {};
    faults = [
      {
        kind: "withhold",
        until: new Promise((resolve) => {
          release = resolve;
        }),
      },
    ];
    let heard = false;
    const answer = post("/slow").then((response) => {
      heard = true;
      return response.json();
    });
    await untilArrived(() => arrived[0]?.complete === true);
    await post("/after");
    expect(heard).toBe(false);
    release();
    expect(await answer).toEqual({ number: 1, said: "hello" });
  });

  test("that passes is answered as the server answers, and is written down", async () => {
    const answer = await post("/a?b=c", "content");
    expect(answer.status).toBe(201);
    expect(await answer.json()).toEqual({ number: 1, said: "content" });
    expect(proxy.seen).toEqual([
      {
        ordinal: 0,
        method: "POST",
        path: "/a?b=c",
        bytes: 7,
        said: "",
        heard: '{"number":1,"said":"content"}',
        as: "",
        fault: "pass",
        status: 201,
      },
    ]);
  });

  test("that is dropped before never arrives; dropped after, it arrives and its answer does not", async () => {
    faults = [{ kind: "drop-before" }, { kind: "drop-after" }];
    await expect(post("/before")).rejects.toThrow();
    expect(arrived).toEqual([]);
    await expect(post("/after")).rejects.toThrow();
    expect(arrived).toMatchObject([{ path: "/after", body: "hello", complete: true }]);
    expect(proxy.seen.map(({ status }) => status)).toEqual([0, 0]);
  });

  test("that is duplicated arrives twice, and the second answer comes back", async () => {
    faults = [{ kind: "duplicate" }];
    expect(await (await post("/twice")).json()).toEqual({ number: 2, said: "hello" });
    expect(arrived.map(({ path }) => path)).toEqual(["/twice", "/twice"]);
  });

  test("that is held arrives after the next one", async () => {
    faults = [{ kind: "hold" }];
    const first = post("/first");
    // The first has to be with the proxy before the second leaves.
    await new Promise<void>((resolve) => {
      const decide = proxy.decide;
      proxy.decide = (request) => {
        queueMicrotask(resolve);
        return decide(request);
      };
    });
    await post("/second");
    await first;
    expect(arrived.map(({ path }) => path)).toEqual(["/second", "/first"]);
  });

  test("that is cut on its way arrives in part; its answer cut comes in part", async () => {
    faults = [
      { kind: "cut-request", at: 3 },
      { kind: "cut-response", at: 5 },
    ];
    await expect(post("/cut")).rejects.toThrow();
    await untilArrived(() => arrived[0]?.body === "hel");
    expect(arrived[0]?.complete).toBe(false);
    const answer = await post("/half");
    await expect(answer.text()).rejects.toThrow();
    expect(arrived[1]).toMatchObject({ path: "/half", complete: true });
  });

  test("that loses bytes arrives shorter, and is complete for all that the server knows", async () => {
    faults = [
      { kind: "lose", at: 1, bytes: 3 },
      { kind: "lose", at: 0, bytes: 9 },
    ];
    expect(await (await post("/hole")).json()).toEqual({ number: 1, said: "ho" });
    expect(await (await post("/nothing")).json()).toEqual({ number: 2, said: "" });
    expect(arrived.map(({ complete }) => complete)).toEqual([true, true]);
  });

  test("that is throttled or delayed comes whole", async () => {
    faults = [
      { kind: "throttle", bytes: 4 },
      { kind: "delay", ms: 5 },
    ];
    expect(await (await post("/slow")).json()).toEqual({ number: 1, said: "hello" });
    expect(await (await post("/late")).json()).toEqual({ number: 2, said: "hello" });
  });

  test("meets a portal or a busy server in place of ours", async () => {
    faults = [
      { kind: "portal" },
      { kind: "status", status: 429 },
      { kind: "status", status: 502 },
      { kind: "status", status: 503 },
    ];
    const portal = await post("/portal");
    expect(portal.status).toBe(200);
    expect(portal.headers.get("content-type")).toBe("text/html");
    const limited = await post("/limited");
    expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "1"]);
    expect((await post("/gateway")).status).toBe(502);
    expect((await post("/away")).status).toBe(503);
    expect(arrived).toEqual([]);
  });
});

describe("a stream through the proxy", () => {
  const firstBytes = async (stop: AbortController) => {
    const answer = await fetch(`${proxy.url}/stream`, { signal: stop.signal });
    const reader = answer.body?.getReader();
    if (reader === undefined) throw new Error("no stream");
    return { answer, first: reader.read() };
  };

  test("passes while it is open, and is silent where told so", async () => {
    faults = [{ kind: "pass" }, { kind: "silent" }];
    const stop = new AbortController();
    const open = await firstBytes(stop);
    expect(new TextDecoder().decode((await open.first).value)).toBe("data: first\n\n");
    const silent = await firstBytes(stop);
    expect(silent.answer.status).toBe(200);
    expect(silent.answer.headers.get("content-type")).toBe("text/event-stream");
    const race = await Promise.race([silent.first, post("/meanwhile").then(() => "nothing yet")]);
    expect(race).toBe("nothing yet");
    silent.first.catch(() => undefined);
    stop.abort();
  });
});

test("after healing everything passes, and what was held goes on", async () => {
  faults = [{ kind: "hold" }, { kind: "drop-before" }];
  const held = post("/held");
  proxy.heal();
  expect((await held).status).toBe(201);
  expect((await post("/next")).status).toBe(201);
});

test("a distance is added each way", async () => {
  const { port } = server.address() as AddressInfo;
  const far = await startFaultProxy({ target: `http://127.0.0.1:${port}`, latencyMs: 25 });
  const began = performance.now();
  expect((await fetch(`${far.url}/far`)).status).toBe(201);
  expect(performance.now() - began).toBeGreaterThanOrEqual(48);
  await far.close();
});
