import { describe, expect, test } from "vitest";
import { keepInMediaCache, mediaPlace, mediaToEvict } from "@/media-cache/cache";

const BASE = "https://app.example/view/x";
const token = (claims: object) =>
  `h.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.s`;

describe("where a file is cached", () => {
  test("a public file lies under its address without the query", () => {
    expect(mediaPlace("/api/files/media/m1/a.jpg?v=1#x", BASE)).toEqual({
      cache: "media-v1",
      key: "https://app.example/api/files/media/m1/a.jpg",
    });
  });

  test("a file read with a token lies in a cache of that person's, without the token", () => {
    const url = `/api/files/messages/c1/a.jpg?token=${token({ id: "annannannannann" })}`;
    expect(mediaPlace(url, BASE)).toEqual({
      cache: "private-media-v1-annannannannann",
      key: "https://app.example/api/files/messages/c1/a.jpg",
    });
  });

  test.each([
    ["another origin", "https://cdn.example/api/files/media/m1/a.jpg"],
    ["another part of the API", "/api/collections/media/records"],
    ["the app itself", "/assets/a.jpg"],
    ["a download", "/api/files/media/m1/a.jpg?download=1"],
    [
      "a chat photo that a moderator looks at",
      `/api/files/messages/c1/a.jpg?uncached=1&token=${token({ id: "annannannannann" })}`,
    ],
    ["a chat photo without a token", "/api/files/messages/c1/a.jpg"],
    ["a token that is none", "/api/files/messages/c1/a.jpg?token=abc"],
    ["a token that names nobody", `/api/files/messages/c1/a.jpg?token=${token({ id: "../x" })}`],
  ])("%s is not cached", (_name, url) => {
    expect(mediaPlace(url, BASE)).toBeNull();
  });

  test("without a Cache API, as in Node, keeping does nothing", async () => {
    const file = { url: "/api/files/media/m1/a.jpg", blob: new Blob(["x"]) };
    await expect(keepInMediaCache([file])).resolves.toBeUndefined();
  });
});

describe("what is evicted", () => {
  const entry = (key: string, bytes: number, usedAt: number, kept = false) => ({
    id: `media-v1 ${key}`,
    cache: "media-v1",
    key,
    bytes,
    usedAt,
    kept,
  });
  const keys = (limit: number) =>
    mediaToEvict(
      [entry("new", 10, 3), entry("kept", 50, 0, true), entry("old", 10, 1), entry("mid", 30, 2)],
      limit,
    ).map(({ key }) => key);

  test("nothing while it fits", () => expect(keys(100)).toEqual([]));
  test("the longest unused first, no more than needed", () => {
    expect(keys(99)).toEqual(["old"]);
    expect(keys(89)).toEqual(["old", "mid"]);
  });
  test("never what is kept, however little room there is", () => {
    expect(keys(0)).toEqual(["old", "mid", "new"]);
  });
});
