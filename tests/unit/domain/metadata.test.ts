import { ascii, joinBytes, jpegWithSecrets, segment } from "@tests/support/exif";
import { mediaFixture } from "@tests/support/media-fixtures";
import { expect, test } from "vitest";
import { readPictureHeader, stripPicture } from "@/data/files/strip-picture";
import { asciiBytes } from "@/domain/bytes";
import { detectFile } from "@/domain/media-files";
import { holdsMetadata } from "@/domain/metadata";

function holds(bytes: Uint8Array): boolean {
  const detected = detectFile(bytes.subarray(0, 64));
  if (detected === null) throw new Error("no file of ours");
  return holdsMetadata((at, length) => bytes.subarray(at, at + length), bytes.length, detected);
}

const photo = mediaFixture("photo.jpg");
const withSegments = (...segments: Uint8Array[]) =>
  joinBytes(photo.subarray(0, 2), ...segments, photo.subarray(2));

/** The head of every JPEG that Safari's canvas makes, of a picture of 64 by 48. */
const safariExif = segment(
  0xe1,
  joinBytes(
    ascii("Exif\0\0MM\0*\0\0\0\x08"),
    ascii("\0\x01\x87\x69\0\x04\0\0\0\x01\0\0\0\x1a\0\0\0\0"),
    ascii("\0\x03\xa0\x01\0\x03\0\0\0\x01\0\x01\0\0"),
    ascii("\xa0\x02\0\x04\0\0\0\x01\0\0\0\x40\xa0\x03\0\x04\0\0\0\x01\0\0\0\x30\0\0\0\0"),
  ),
);
const safariPhotoshop = segment(
  0xed,
  new Uint8Array(
    Buffer.from(
      "UGhvdG9zaG9wIDMuMAA4QklNBAQAAAAAAAA4QklNBCUAAAAAABDUHYzZjwCyBOmACZjs+EJ+",
      "base64",
    ),
  ),
);

test("what canvases write beside the pixels says nothing about the person, and stays", () => {
  const made = withSegments(safariExif, safariPhotoshop);
  expect(holds(made)).toBe(false);
});

test.each([
  ["a tag of the camera", "\xa0\x02\0\x04", "\x92\x86\0\x04"],
  ["a tag with text", "\xa0\x02\0\x04\0\0\0\x01", "\xa0\x02\0\x02\0\0\0\x04"],
  ["a directory more", "\0\x30\0\0\0\0", "\0\x30\0\0\0\x1a"],
])("%s in such a block makes it metadata", (_what, before, after) => {
  const block = Buffer.from(safariExif);
  const at = block.indexOf(Buffer.from(before, "latin1"));
  expect(at).toBeGreaterThan(0);
  block.set(asciiBytes(after), at);
  expect(holds(withSegments(new Uint8Array(block)))).toBe(true);
});

test("bytes behind its last directory, too", () => {
  const longer = segment(0xe1, joinBytes(safariExif.subarray(4), ascii("48.1234 N")));
  expect(holds(withSegments(longer))).toBe(true);
});

test("a photo that was cleaned of all but its way up passes", async () => {
  const blob = stripPicture(jpegWithSecrets(photo, 6), "image/jpeg");
  const clean = new Uint8Array(await blob.arrayBuffer());
  expect(readPictureHeader(clean, "image/jpeg").orientation).toBe(6);
  expect(holds(clean)).toBe(false);
});
