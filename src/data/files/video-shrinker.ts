/**
 * The worker that makes a video smaller: by its films alone, bit for bit, where these fit; else it
 * decodes and encodes them by the browser's own coders (WebCodecs). Reads the file piece by piece.
 * Loaded when a video over the limit is chosen, and ended as soon as it has answered.
 */
import {
  type AudioCodec,
  BlobSource,
  Conversion,
  EncodedPacketSink,
  Input,
  type InputTrack,
  MP4,
  Mp4OutputFormat,
  NullTarget,
  Output,
  QTFF,
  Quality,
  StreamTarget,
  type StreamTargetChunk,
  type Target,
  WEBM,
  WebMOutputFormat,
} from "mediabunny";
import { VIDEO_MAX_BYTES } from "@/domain/limits";
import { failed, ok, type Result } from "@/domain/result";
import { type ShrinkPlan, SOUND_RATE, type VideoPlan, videoPlan } from "@/domain/what-fits";
import type { ShrinkerAnswer, ShrinkerRequest } from "./worker-tasks";

addEventListener("message", ({ data }: MessageEvent<ShrinkerRequest>) => {
  void answer(data).then((result) => postMessage({ result } satisfies ShrinkerAnswer));
});

async function answer({ task, file }: ShrinkerRequest): Promise<Result<ShrinkPlan | Blob>> {
  const input = new Input({ source: new BlobSource(file), formats: [MP4, QTFF, WEBM] });
  try {
    if (task === "copy") return (await fitsAlone(input)) ? copy(input) : failed("cannot_shrink");
    if (task === "plan" && (await fitsAlone(input))) return ok("copy");
    const way = await findWay(input);
    if (way === null) return failed("cannot_shrink");
    return task === "plan" ? ok(way.plan) : await shrink(way);
  } catch {
    // A coder gave up, or the file is gone.
    return failed("cannot_shrink");
  }
}

/** What a container adds to each packet, and its heads; generously. */
const INDEX_BYTES = 24;
const HEAD_BYTES = 65_536;

/** Whether pictures and sound fit without all that lies beside them in the file. */
async function fitsAlone(input: Input): Promise<boolean> {
  let bytes = HEAD_BYTES;
  for (const track of await primaryTracks(input)) {
    for await (const { byteLength } of new EncodedPacketSink(track).packets(undefined, undefined, {
      metadataOnly: true,
    })) {
      bytes += byteLength + INDEX_BYTES;
      if (bytes > VIDEO_MAX_BYTES) return false;
    }
  }
  return (await copyOf(input, new NullTarget())) !== null;
}

async function primaryTracks(input: Input): Promise<InputTrack[]> {
  const both = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
  return both.filter((track) => track !== null);
}

/** A file of nothing but the packets; null where a container does not take one of the films. */
async function copyOf(input: Input, target: Target): Promise<Conversion | null> {
  const isWebm = (await input.getFormat()) === WEBM;
  const format = isWebm ? new WebMOutputFormat() : new Mp4OutputFormat({ fastStart: false });
  const conversion = await Conversion.init({
    input,
    output: new Output({ format, target }),
    tracks: "primary",
    copy: { mode: "forced", shiftTolerance: 1 },
    tags: {},
    showWarnings: false,
  });
  const tracks = await primaryTracks(input);
  const isWhole = tracks.every((track) => conversion.utilizedTracks.includes(track));
  return conversion.isValid && isWhole ? conversion : null;
}

async function copy(input: Input): Promise<Result<Blob>> {
  const file = new GrowingFile();
  const conversion = await copyOf(input, new StreamTarget(file.stream, { chunked: true }));
  if (conversion === null) return failed("cannot_shrink");
  await conversion.execute();
  return ok(file.whole(conversion.output.format.mimeType));
}

/** What plays in all browsers first. Sound that is of the kind already is copied. */
const KINDS = [
  { container: "mp4", video: "avc", audio: "aac" },
  { container: "webm", video: "vp9", audio: "opus" },
  { container: "webm", video: "vp8", audio: "opus" },
] as const;

interface Way {
  input: Input;
  plan: VideoPlan;
  kind: (typeof KINDS)[number];
  /** Its pictures, and its sound where it has any. */
  tracks: InputTrack[];
  soundCodec: AudioCodec | null;
  frameRate: { frameRate?: number };
}

const MOST_FRAMES = 30;
/** Packets looked at to tell the frame rate. */
const LOOKED_AT = 100;

/** How this device can make the video smaller, or null. */
async function findWay(input: Input): Promise<Way | null> {
  const video = await input.getPrimaryVideoTrack();
  const audio = await input.getPrimaryAudioTrack();
  if (video === null || typeof VideoEncoder === "undefined") return null;
  const size = { width: await video.getDisplayWidth(), height: await video.getDisplayHeight() };
  const duration = (await input.getDurationFromMetadata()) ?? (await input.computeDuration());
  const soundCodec = (await audio?.getCodec()) ?? null;
  const sound = await audio?.computePacketStats(LOOKED_AT);
  const isCopied = KINDS.some((kind) => kind.audio === soundCodec);
  const soundRate = isCopied ? Math.max(SOUND_RATE, sound?.averageBitrate ?? 0) : SOUND_RATE;
  const plan = videoPlan({ ...size, duration, soundRate });
  if (plan === null) return null;
  const { averagePacketRate } = await video.computePacketStats(LOOKED_AT);
  const frameRate = averagePacketRate > MOST_FRAMES + 1 ? { frameRate: MOST_FRAMES } : {};
  const tracks = audio === null ? [video] : [video, audio];
  for (const kind of KINDS) {
    const way = { input, plan, kind, tracks, soundCodec, frameRate };
    const conversion = await conversionOf(way, plan.rate, new NullTarget());
    if (conversion !== null) return way;
  }
  return null;
}

const formatOf = ({ container }: Way["kind"]) =>
  container === "mp4" ? new Mp4OutputFormat({ fastStart: false }) : new WebMOutputFormat();

/** Null where this device lacks a coder, so that pictures or sound would be lost. */
async function conversionOf(way: Way, rate: number, target: Target): Promise<Conversion | null> {
  const { input, plan, kind, tracks, soundCodec, frameRate } = way;
  // Asked for a quality, the library would encode it again.
  const sound = soundCodec === kind.audio ? {} : { quality: new Quality({ bitrate: SOUND_RATE }) };
  const conversion = await Conversion.init({
    input,
    output: new Output({ format: formatOf(kind), target }),
    tracks: "primary",
    video: {
      codec: kind.video,
      width: plan.width,
      height: plan.height,
      fit: "fill",
      quality: new Quality({ bitrate: rate }),
      allowTransformationMetadata: false,
      forceTranscode: true,
      ...frameRate,
    },
    audio: { codec: kind.audio, ...sound },
    // Phones' sound begins some milliseconds before the pictures.
    copy: { shiftTolerance: 1 },
    // Nothing about who made it.
    tags: {},
    showWarnings: false,
  });
  const isWhole = tracks.every((track) => conversion.utilizedTracks.includes(track));
  return conversion.isValid && isWhole ? conversion : null;
}

/** Coders keep to a rate roughly: each further try aims lower. */
const TRIES = 3;

async function shrink(way: Way): Promise<Result<Blob>> {
  let { rate } = way.plan;
  for (let tried = 0; tried < TRIES; tried++) {
    const made = await encode(way, rate);
    if (made !== null && made.size <= VIDEO_MAX_BYTES) return ok(made);
    rate = Math.floor(rate * 0.8);
  }
  return failed("cannot_shrink");
}

/** Null where it grew over the limit. */
async function encode(way: Way, rate: number): Promise<Blob | null> {
  const file = new GrowingFile();
  const target = new StreamTarget(file.stream, { chunked: true });
  const conversion = await conversionOf(way, rate, target);
  if (conversion === null) throw new Error("no coder any more");
  conversion.onProgress = (share) => {
    postMessage({ progress: share * 100 } satisfies ShrinkerAnswer);
    if (file.size > VIDEO_MAX_BYTES) void conversion.cancel();
  };
  try {
    await conversion.execute();
  } catch (error) {
    if (conversion.state === "canceled") return null;
    throw error;
  }
  return file.whole(formatOf(way.kind).mimeType);
}

/** Written here and there, and kept as blobs, which a browser moves to its disk. */
class GrowingFile {
  size = 0;
  private readonly pieces: { at: number; blob: Blob }[] = [];
  readonly stream = new WritableStream<StreamTargetChunk>({
    write: ({ data, position }) => {
      this.pieces.push({ at: position, blob: new Blob([data]) });
      this.size = Math.max(this.size, position + data.length);
    },
  });

  whole(type: string): Blob {
    const made = this.pieces.reduce((file, { at, blob }) => {
      const gap = new Uint8Array(Math.max(0, at - file.size));
      return new Blob([file.slice(0, at), gap, blob, file.slice(at + blob.size)]);
    }, new Blob());
    return made.slice(0, made.size, type);
  }
}
