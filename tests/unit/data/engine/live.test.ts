import { BehaviorSubject, defer, Observable, of, Subject, throwError } from "rxjs";
import { expect, test, vi } from "vitest";
import type { Scope, Shared } from "@/data/engine/context";
import { createLive, createViews } from "@/data/engine/live";

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

test("of a list one length is kept: a shorter one ends with its last watcher, others stay warm", () => {
  const delay = () => new Promise<void>(() => undefined);
  const shared = { remote: {}, deps: { delay }, log: vi.fn() } as unknown as Shared;
  const scope = {} as Scope;
  const views = createViews(shared, of(scope), async () => scope);
  const running = new Set<string>();
  const list = (key: string, limit: number) =>
    views.loaded<number>({ key, limit }, () => {
      const name = `${key} ${limit}`;
      running.add(name);
      return new Observable(() => () => running.delete(name));
    });
  const short = list("feed", 24);
  expect(list("feed", 24)).toBe(short);
  const leaveShort = short.subscribe(() => undefined);
  const leaveOther = list("people", 24).subscribe(() => undefined);
  const leaveLong = list("feed", 48).subscribe(() => undefined);
  expect([...running]).toEqual(["feed 24", "people 24", "feed 48"]);
  leaveShort();
  expect([...running]).toEqual(["people 24", "feed 48"]);
  leaveOther();
  leaveLong();
  expect([...running]).toEqual(["people 24", "feed 48"]);
  expect(list("feed", 24)).not.toBe(short);
  expect([...running]).toEqual(["people 24"]);
});
