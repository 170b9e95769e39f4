import { newIdOf, planImport } from "@scripts/import-records";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { usernameFault } from "@/domain/accounts";
import { isId } from "@/domain/ids";

const record = (id: string, more: object = {}) => ({ id, uid: "u1", file: `${id}.jpg`, ...more });

describe("the plan of an import", () => {
  test("takes a list, or an object by id, oldest first", () => {
    const list = [record("b", { date: 1_600_000_500 }), record("a", { date: 1_600_000_000 })];
    const byId = Object.fromEntries(list.map(({ id, ...rest }) => [id, rest]));
    for (const media of [list, byId]) {
      expect(planImport(media, []).media.map(({ oldId }) => oldId)).toEqual(["a", "b"]);
    }
  });

  test("leaves out what has no id, no owner, no file or another's id, and says so", () => {
    const { media, leftOut } = planImport(
      [
        record("a"),
        record("a"),
        { uid: "u", file: "x" },
        { id: "c", file: "x" },
        { id: "d", uid: "u" },
        7,
      ],
      [null],
    );
    expect(media).toHaveLength(1);
    const records = leftOut.map(({ record: which }) => which);
    expect(records).toEqual(["a", "record 3", "c", "d", "record 6"]);
    expect(new Set(leftOut.map(({ why }) => why)).size).toBe(5);
  });

  test("keeps media of one post together, and drops a place that the server would refuse", () => {
    const post = "post00000000001";
    const { media } = planImport(
      [
        record("a", { post, postIndex: 1 }),
        record("b", { post, postIndex: 0 }),
        record("c", { post, postIndex: 1 }),
        record("d", { post, postIndex: 2, uid: "u2" }),
        record("e", { post, postIndex: 10 }),
        record("f", { post: "short", postIndex: 3 }),
        record("g", { post, postIndex: "4" }),
      ],
      [],
    );
    const places = media.flatMap(({ oldId, place }) => (place ? [[oldId, place.postIndex]] : []));
    expect(places).toEqual([
      ["a", 1],
      ["b", 0],
    ]);
  });

  test("shortens what is longer than this product takes, and says so", () => {
    const long = record("a", { title: "x".repeat(3000), tags: ["y".repeat(60), "sea"], date: 1e9 });
    const { media, shortened } = planImport([long], []);
    expect(media[0]).toMatchObject({ caption: "x".repeat(2200), tags: ["sea"] });
    expect(shortened).toEqual([{ record: "a", why: "too long: caption, tags" }]);
  });

  test("says of which media the date cannot be read", () => {
    const { media, shortened } = planImport([record("a", { date: "yesterday" })], []);
    expect(media[0]?.createdAt).toBe(0);
    const why = "no date that can be read: it gets that of the import";
    expect(shortened).toEqual([{ record: "a", why }]);
  });

  test("makes an account for each owner, by the users of the export where they are in it", () => {
    const users = [{ uid: "u1", username: "Ann", email: "Ann@Example.com", bio: "Hi" }];
    const media = [
      record("a"),
      record("b", { uid: "u2", username: "Jörg Ü", date: 1_600_000_000 }),
      record("c", { uid: "u3", username: "ann" }),
    ];
    const people = planImport(media, users).users;
    const by = (oldId: string) => people.find((user) => user.oldId === oldId);
    expect(by("u1")).toMatchObject({ username: "Ann", email: "ann@example.com", bio: "Hi" });
    expect(by("u2")).toMatchObject({ username: "J-rg", createdAt: 1_600_000_000_000 });
    expect(by("u3")?.username).toMatch(/^ann-[a-z0-9]{5}$/);
    expect(by("u2")?.email).toMatch(/@import\.invalid$/);
  });

  test("keeps ids of our own kind, and gives every other the same one each time", () => {
    expect(newIdOf("abcdefghijklmno")).toBe("abcdefghijklmno");
    fc.assert(
      fc.property(fc.string(), (old) => {
        expect(isId(newIdOf(old))).toBe(true);
        expect(newIdOf(old)).toBe(newIdOf(old));
      }),
    );
  });

  test("is one that the server takes, whatever the export holds", () => {
    const any = fc.array(fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer())));
    const named = fc.array(
      fc.record({ id: fc.string(), uid: fc.string(), file: fc.string(), username: fc.string() }),
    );
    fc.assert(
      fc.property(
        fc.oneof(any, named, fc.anything()),
        fc.oneof(any, fc.anything()),
        (media, users) => {
          const plan = planImport(media, users);
          const owners = new Set(plan.users.map(({ id }) => id));
          expect(plan.media.every(({ id, userId }) => isId(id) && owners.has(userId))).toBe(true);
          expect(new Set(plan.media.map(({ id }) => id)).size).toBe(plan.media.length);
          expect(plan.users.map(({ username }) => usernameFault(username)).filter(Boolean)).toEqual(
            [],
          );
          const names = plan.users.map(({ username }) => username.toLowerCase());
          expect(new Set(names).size).toBe(names.length);
        },
      ),
    );
  });
});
