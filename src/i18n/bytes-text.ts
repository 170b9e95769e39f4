/** Sizes as people read them. 1 MB is 1,048,576 bytes, as everywhere in the product. */
const UNITS = ["kilobyte", "megabyte", "gigabyte"] as const;
const STEP = 1_024;
/** From here on a decimal says nothing. */
const WHOLE_FROM = 100;

/** "0.4 kB", "2.4 MB", "1.2 GB". */
export function bytesText(bytes: number, language: string): string {
  let value = bytes / STEP;
  let unit = 0;
  while (value >= STEP && unit < UNITS.length - 1) {
    value /= STEP;
    unit += 1;
  }
  const format = new Intl.NumberFormat(language, {
    style: "unit",
    unit: UNITS[unit] ?? "kilobyte",
    maximumFractionDigits: value >= WHOLE_FROM ? 0 : 1,
  });
  return format.format(value);
}
