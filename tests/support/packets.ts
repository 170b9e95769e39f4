/** What a player is given of a film to decode. */
import { createHash } from "node:crypto";
import { BufferSource, EncodedPacketSink, Input, MP4, QTFF, WEBM } from "mediabunny";

const hashOf = (data: Uint8Array): string => createHash("sha256").update(data).digest("hex");

/** Each packet of pictures and sound, in order, by its time and its hash. */
export async function packetsOf(film: Uint8Array<ArrayBuffer>): Promise<string[]> {
  const input = new Input({ source: new BufferSource(named(film)), formats: [MP4, QTFF, WEBM] });
  const found: string[] = [];
  for (const track of [...(await input.getVideoTracks()), ...(await input.getAudioTracks())]) {
    for await (const { data, timestamp } of new EncodedPacketSink(track).packets()) {
      found.push(`${track.type} ${timestamp} ${hashOf(data)}`);
    }
  }
  return found;
}

/** The library knows no film without `ftyp`. */
function named(film: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const copy = Buffer.from(film);
  if (copy.toString("latin1", 4, 8) === "wide") copy.write("ftypqt  ", 4, "latin1");
  return new Uint8Array(copy);
}
