/** Prometheus' text format, read as strictly as Prometheus reads it. */

export interface Sample {
  /** Without our prefix. */
  name: string;
  labels: Record<string, string>;
  value: number;
}

const LINE = /^augenblick_([a-z_]+)(?:\{(.*)\})? (\d+(?:\.\d+)?(?:e[+-]\d+)?)$/;
const LABEL = /([a-z]+)="((?:[^"\\]|\\.)*)"(?:,|$)/gy;

function labelsOf(text: string): Record<string, string> {
  const found = [...text.matchAll(LABEL)];
  if (found.map(([all]) => all).join("") !== text) throw new Error(`labels: ${text}`);
  return Object.fromEntries(found.map(([, name = "", value = ""]) => [name, value]));
}

/** Throws where a line is none, comes twice, or has no type. */
export function readSamples(text: string): Sample[] {
  if (!text.endsWith("\n")) throw new Error("the last line has no end");
  const lines = text.slice(0, -1).split("\n");
  if (new Set(lines).size !== lines.length) throw new Error("a line comes twice");
  const types = lines.filter((line) => line.startsWith("# TYPE "));
  return lines
    .filter((line) => !line.startsWith("# "))
    .map((line) => {
      const [, name, labels = "", value] = LINE.exec(line) ?? [];
      const of = name?.replace(/_(bucket|sum|count)$/, "");
      if (!types.some((type) => type.startsWith(`# TYPE augenblick_${of} `)))
        throw new Error(`not a sample: ${line}`);
      return { name: name ?? "", labels: labelsOf(labels), value: Number(value) };
    });
}

/** The sum of the samples of a name that have all these labels. */
export function sumOf(
  samples: readonly Sample[],
  name: string,
  labels: Record<string, string> = {},
): number {
  const wanted = Object.entries(labels);
  return samples
    .filter((one) => one.name === name && wanted.every(([key, text]) => one.labels[key] === text))
    .reduce((sum, { value }) => sum + value, 0);
}
