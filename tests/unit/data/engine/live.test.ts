import { BehaviorSubject, defer, type Observable, Subject, throwError } from "rxjs";
import { expect, test, vi } from "vitest";
import { createLive } from "@/data/engine/live";

test("a stream that breaks shows that it did, tells why, and is asked again by the next who looks", () => {
  const answers: Observable<string>[] = [throwError(() => new Error("no disk")), new Subject()];
  const log = vi.fn();
  const delay = () => new Promise<void>(() => undefined);
  const source = defer(() => answers.shift() ?? new BehaviorSubject("third"));
  const live = createLive(source, "loading", () => "failed", { delay, log });
  const heard: string[] = [];
  const hear = () => heard.push(live.getSnapshot());
  live.subscribe(hear)();
  expect(heard).toEqual(["failed"]);
  expect(log).toHaveBeenCalledWith(expect.any(String), new Error("no disk"));
  const second = answers[0] as Subject<string>;
  live.subscribe(hear);
  second.next("read");
  second.error(new Error("gone again"));
  live.subscribe(hear);
  expect(heard.slice(1, 3)).toEqual(["read", "failed"]);
  expect(live.getSnapshot()).toBe("third");
});
