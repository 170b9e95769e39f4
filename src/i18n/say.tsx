/** A sentence on screen. German ones of the specification carry `lang="de"`, so that they are read aloud as German. */
import { isGerman } from "./german-keys";
import type { Text, TextKey, TextParams } from "./keys";
import { useText } from "./use-text";

export function Say({ k, params }: { k: TextKey; params?: TextParams }) {
  const { t } = useText();
  const sentence = t(k, params);
  return isGerman(k) ? <span lang="de">{sentence}</span> : sentence;
}

export function SayText({ text }: { text: Text }) {
  if ("raw" in text) return text.raw;
  return text.params === undefined ? (
    <Say k={text.key} />
  ) : (
    <Say k={text.key} params={text.params} />
  );
}
