import { generationAt, readReplica } from "@scripts/replica.mjs";
import { expect, test } from "vitest";

const TABLE = `name  generation        lag    start                 end
s3    aaaa              1h0m   2026-01-02T10:00:00Z  2026-01-02T11:00:00Z
s3    cccc              0s     2026-01-02T14:00:00Z  2026-01-02T15:00:00Z
s3    bbbb              -1s    2026-01-02T12:00:00Z  2026-01-02T13:00:00Z
`;

const at = (time: string) => new Date(`2026-01-02T${time}Z`);

test.each([
  ["10:00:00", "aaaa", "11:00:00"],
  ["11:30:00", "aaaa", "11:00:00"],
  ["12:30:00", "bbbb", "13:00:00"],
  ["13:30:00", "bbbb", "13:00:00"],
  ["18:00:00", "cccc", "15:00:00"],
])("at %s the stream is in %s, which ends at %s", (time, id, end) => {
  expect(generationAt(TABLE, at(time))).toEqual({ id, end: at(end) });
});

test("before its beginning there is no stream", () => {
  expect(generationAt(TABLE, at("09:59:59"))).toBe(null);
});

const env = { S3_ENDPOINT: "https://s3.example.org", S3_ACCESS_KEY: "key", S3_SECRET: "secret" };

test("a replica is a path in a bucket, or a folder", () => {
  expect(readReplica("s3://bucket/a/b/", env)).toMatchObject({
    folder: "a/b",
    s3: { bucket: "bucket", endpoint: "https://s3.example.org", region: "us-east-1" },
  });
  expect(readReplica("file:///srv/replica", {})).toMatchObject({
    folder: "/srv/replica",
    s3: null,
  });
});

test.each([
  "",
  "replica",
  "s3://bucket",
  "s3://key:secret@bucket/path",
  "file://host/x",
  "http://x/y",
])("%s is no replica", (url) => {
  expect(() => readReplica(url, env)).toThrow(/names no place for a replica/);
});

test("a bucket without its keys is no replica", () => {
  expect(() => readReplica("s3://bucket/path", {})).toThrow(
    /^Set S3_ENDPOINT and S3_ACCESS_KEY and S3_SECRET too/,
  );
});
