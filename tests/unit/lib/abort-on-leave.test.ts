import { IDBFactory } from "fake-indexeddb";
import { expect, test, vi } from "vitest";
import { abortOnLeave } from "@/lib/abort-on-leave";

async function openPage() {
  const page = new EventTarget();
  const reload = vi.fn();
  const tell = (type: string, persisted: boolean) =>
    page.dispatchEvent(Object.assign(new Event(type), { persisted }));
  const factory = abortOnLeave(new IDBFactory(), page as unknown as Window, reload);
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = factory.open("queue", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("rows");
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const write = (value: string) => {
    const transaction = database.transaction("rows", "readwrite");
    transaction.objectStore("rows").put(value, value);
    return new Promise<string>((resolve) => {
      transaction.oncomplete = () => resolve("complete");
      transaction.onabort = () => resolve("abort");
    });
  };
  return { reload, tell, write };
}

test("a page kept for Back leaves no transaction running, and starts afresh when it comes back", async () => {
  const { reload, tell, write } = await openPage();
  const left = write("left");
  tell("pagehide", true);
  await expect(left).resolves.toBe("abort");
  tell("pageshow", true);
  expect(reload).toHaveBeenCalledOnce();
});

test("a page that is closed, or kept with nothing running, loses nothing and goes on", async () => {
  const { reload, tell, write } = await openPage();
  await expect(write("before")).resolves.toBe("complete");
  tell("pagehide", true);
  tell("pageshow", true);
  const closing = write("closing");
  tell("pagehide", false);
  await expect(closing).resolves.toBe("complete");
  expect(reload).not.toHaveBeenCalled();
});
