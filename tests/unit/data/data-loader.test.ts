import { describe, expect, test } from "vitest";
import { loadData } from "@/data/specification";

function loader(answer: Response) {
  const asked: { url: string; init: RequestInit | undefined }[] = [];
  const deps = {
    address: (path: string) => `https://example.org${path}`,
    token: () => "a-token",
    fetch: async (url: RequestInfo | URL, init?: RequestInit) => {
      asked.push({ url: String(url), init });
      return answer;
    },
  };
  return { deps, asked };
}

describe("the default data loader", () => {
  test("asks for the path that the key begins with, with credentials, and reads JSON", async () => {
    const { deps, asked } = loader(Response.json({ users: 3 }));
    const data = await loadData(deps, ["/api/admin/stats", 7], { on401: "throw" });
    expect(data).toEqual({ users: 3 });
    expect(asked).toMatchObject([
      {
        url: "https://example.org/api/admin/stats",
        init: { credentials: "include", headers: { Authorization: "a-token" } },
      },
    ]);
  });

  test.each([
    [new Response("It broke", { status: 500 }), "500: It broke"],
    [new Response("", { status: 404, statusText: "Not Found" }), "404: Not Found"],
    [new Response("Who?", { status: 401 }), "401: Who?"],
  ])("throws status and body", async (answer, text) => {
    const { deps } = loader(answer);
    await expect(loadData(deps, ["/x"], { on401: "throw" })).rejects.toThrow(text);
  });

  test("its variant makes null of a 401 alone", async () => {
    const unknown = loader(new Response("Who?", { status: 401 }));
    expect(await loadData(unknown.deps, ["/x"], { on401: "null" })).toBeNull();
    const broken = loader(new Response("It broke", { status: 500 }));
    await expect(loadData(broken.deps, ["/x"], { on401: "null" })).rejects.toThrow("500: It broke");
  });
});
