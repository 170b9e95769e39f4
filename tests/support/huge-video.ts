/**
 * A video of more than 200 MB, which no repository holds: one picture, encoded once and shown again
 * and again with much that decoders pass over, turned by a quarter, with sound of two seconds. Written by a page of its own.
 */
import { readFile, writeFile } from "node:fs/promises";
import { inRoot } from "@scripts/checkout.mjs";
import type { BrowserContext } from "playwright-core";
import { serveTestPage } from "./test-page";

const SOURCE = `
import {
  BlobSource, BufferTarget, EncodedAudioPacketSource, EncodedPacket, EncodedPacketSink,
  EncodedVideoPacketSource, Input, MP4, Mp4OutputFormat, Output,
} from "mediabunny";

const WIDTH = 1920;
const HEIGHT = 1080;

/** Left red, right blue. */
function draw() {
  const canvas = new OffscreenCanvas(WIDTH, HEIGHT);
  const context = canvas.getContext("2d")!;
  for (const [x, color] of [[0, "red"], [WIDTH / 2, "blue"]] as const) {
    context.fillStyle = color;
    context.fillRect(x, 0, WIDTH / 2, HEIGHT);
  }
  return canvas;
}

/** As many bytes of filler as cameras of a constant rate add to a picture. */
const FILLER = 4_000_000;

function filled(picture: Uint8Array, bytes: number): Uint8Array {
  if (bytes < 6) throw new Error("No room for the last picture's filler: ask for another size");
  const packet = new Uint8Array(picture.length + bytes).fill(0xff);
  packet.set(picture);
  new DataView(packet.buffer).setUint32(picture.length, bytes - 4);
  packet[picture.length + 4] = 12;
  packet[packet.length - 1] = 0x80;
  return packet;
}

async function keyFrame(): Promise<{ picture: Uint8Array; config: VideoDecoderConfig }> {
  return new Promise((resolve, reject) => {
    const encoder = new VideoEncoder({
      output(chunk, about) {
        const picture = new Uint8Array(chunk.byteLength);
        chunk.copyTo(picture);
        resolve({ picture, config: about!.decoderConfig! });
      },
      error: reject,
    });
    const rate = { bitrate: 4_000_000, framerate: 10 };
    encoder.configure({ codec: "avc1.640033", width: WIDTH, height: HEIGHT, avc: { format: "avc" }, ...rate });
    const frame = new VideoFrame(draw(), { timestamp: 0 });
    encoder.encode(frame, { keyFrame: true });
    frame.close();
    void encoder.flush();
  });
}

async function write(packets: Uint8Array[], config: VideoDecoderConfig, seconds: number) {
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: false }), target: new BufferTarget() });
  const video = new EncodedVideoPacketSource("avc");
  output.addVideoTrack(video, { rotation: 90 });
  const sound = new Input({ source: new BlobSource(await (await fetch("/sound.mp4")).blob()), formats: [MP4] });
  const track = (await sound.getPrimaryAudioTrack())!;
  const audio = new EncodedAudioPacketSource("aac");
  output.addAudioTrack(audio);
  await output.start();
  const decoderConfig = (await track.getDecoderConfig())!;
  for await (const one of new EncodedPacketSink(track).packets()) await audio.add(one, { decoderConfig });
  audio.close();
  const each = seconds / packets.length;
  for (const [at, packet] of packets.entries()) {
    await video.add(new EncodedPacket(packet, "key", at * each, each), { decoderConfig: config });
  }
  await output.finalize();
  return (output.target as BufferTarget).buffer!;
}

Object.assign(window, {
  async make(bytes: number, seconds: number) {
    const { picture, config } = await keyFrame();
    const others = Math.ceil(bytes / (picture.length + FILLER)) - 1;
    const withFillers = (each: number, last: number) =>
      [...Array(others).fill(filled(picture, each)), filled(picture, last)];
    // What the file has beside its fillers is the same whatever their sizes are.
    const small = await write(withFillers(100, 101), config, seconds);
    const beside = small.byteLength - 100 * others - 101;
    const film = await write(withFillers(FILLER, bytes - beside - others * FILLER), config, seconds);
    await fetch("/made", { method: "POST", body: new Blob([film]) });
  },
});
document.title = "ready";
`;

/** Writes it to `path`; exactly `bytes` large and `seconds` long. */
export async function writeHugeVideo(
  context: BrowserContext,
  path: string,
  size: { bytes: number; seconds: number },
): Promise<void> {
  const site = await serveTestPage(SOURCE);
  const page = await context.newPage();
  try {
    site.files["sound.mp4"] = await readFile(inRoot("tests/files/sound-alone.mp4"));
    let made = Buffer.alloc(0);
    site.onPost = (body) => {
      made = body;
    };
    await page.goto(site.url);
    await page.waitForFunction(() => document.title === "ready");
    await page.evaluate(`make(${size.bytes}, ${size.seconds})`);
    if (made.length !== size.bytes) throw new Error(`The film has ${made.length} bytes`);
    await writeFile(path, made);
  } finally {
    await page.close();
    await site.close();
  }
}
