import { expect, test } from "vitest";
import type { AdminText } from "@/data/admin/admin-client";
import { hasConflict, startForm, withPublished, withSeen } from "@/features/admin/legal-editor";

const text = (content: string, revision: number): AdminText => ({
  content,
  revision,
  lastUpdated: null,
});
const draft = (content: string, revision: number) => ({ content, revision, at: 1 });

test("without a draft the writing starts from what is published", () => {
  const form = startForm(text("<p>a</p>", 3), null);
  expect(form).toMatchObject({ content: "<p>a</p>", restoredAt: null });
  expect(hasConflict(form)).toBe(false);
});

test("a draft comes back, and publishes against the text it began from", () => {
  const form = startForm(text("<p>a</p>", 3), draft("<p>b</p>", 3));
  expect(form).toMatchObject({ content: "<p>b</p>", restoredAt: 1, base: { revision: 3 } });
  expect(hasConflict(form)).toBe(false);
});

test("a draft of an older text is a conflict before anything is sent", () => {
  expect(hasConflict(startForm(text("<p>new</p>", 4), draft("<p>b</p>", 3)))).toBe(true);
});

test("a draft that says what is published already is none", () => {
  expect(startForm(text("<p>a</p>", 4), draft("<p>a</p>", 3)).restoredAt).toBeNull();
});

test("another's text is taken over where nothing was written, and never over something written", () => {
  const clean = startForm(text("<p>a</p>", 1), null);
  expect(withSeen(clean, text("<p>b</p>", 2))).toMatchObject({ content: "<p>b</p>", epoch: 1 });
  const written = { ...clean, content: "<p>mine</p>" };
  const after = withSeen(written, text("<p>b</p>", 2));
  expect(after.content).toBe("<p>mine</p>");
  expect(hasConflict(after)).toBe(true);
});

test("the same text told again begins nothing anew", () => {
  const form = startForm(text("<p>a</p>", 1), null);
  expect(withSeen(form, text("<p>a</p>", 1))).toBe(form);
});

test("what was written while the text was being published is kept, and begins from what was published", () => {
  const sent = { ...startForm(text("<p>a</p>", 1), null), content: "<p>b</p>" };
  expect(withPublished(sent, "<p>b</p>", text("<p>b</p>", 2))).toMatchObject({
    content: "<p>b</p>",
    epoch: 1,
  });
  const after = withPublished({ ...sent, content: "<p>c</p>" }, "<p>b</p>", text("<p>b</p>", 2));
  expect(after).toMatchObject({ content: "<p>c</p>", base: { revision: 2 }, epoch: 0 });
  expect(hasConflict(after)).toBe(false);
});
