/** What a frame may be made of, for the one that puts it away and the one that draws it. */
/** Elements that show something and do nothing; all others are left out. */
const TAGS = new Set(
  "a article aside b bdi button dd div dl dt em fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr i img input label legend li main nav ol option p section select small span strong textarea time ul".split(
    " ",
  ),
);
const DRAWN = new Set("circle g line path polygon polyline rect svg".split(" "));
/** Attributes that styles and eyes need; `data-…` and `aria-…` beside them. */
const ATTRIBUTES = new Set(
  "class style dir lang alt inert placeholder rows selected type viewBox d cx cy r rx ry x y x1 x2 y1 y2 points width height fill stroke stroke-width stroke-linecap stroke-linejoin transform".split(
    " ",
  ),
);

export const isDrawing = (tag: string): boolean => DRAWN.has(tag);
export const mayBe = (tag: string): boolean => TAGS.has(tag) || DRAWN.has(tag);

/** Links lead to pages of ours, and pictures are files that are open to everybody. */
export function mayHave(name: string, value: string): boolean {
  if (ATTRIBUTES.has(name)) return true;
  if (name === "href") return value[0] === "/" && value[1] !== "/" && value[1] !== "\\";
  if (name !== "src") return name.startsWith("data-") || name.startsWith("aria-");
  return value.startsWith("/api/files/") && !/^\/api\/files\/messages\/|[?]/.test(value);
}
