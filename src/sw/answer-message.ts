/** Messages from pages; each is answered over the port that came with it. Unknown words of a newer page do nothing. */
import { forgetInMediaCache, readUsage } from "@/lib/media-cache";
import type { FromServiceWorker, KeepAnswer } from "@/lib/service-worker-messages";
import { fetchWhole, forgetPrivateMedia } from "./answer-media";

export async function answerMessage(message: unknown, port?: MessagePort): Promise<void> {
  const answer = await act(message);
  port?.postMessage(answer);
}

async function act(message: unknown): Promise<FromServiceWorker> {
  const { type, urls } = parse(message);
  switch (type) {
    case "KEEP":
      return fetchAll(urls, true);
    case "WARM":
      return fetchAll(urls, false);
    case "FORGET":
      await forgetInMediaCache(urls);
      break;
    case "SIGNED_OUT":
      await forgetPrivateMedia();
      break;
    case "USAGE":
      return readUsage();
    default:
      break;
  }
  return { done: true };
}

function parse(message: unknown): { type: string; urls: string[] } {
  const given = typeof message === "object" && message !== null ? message : {};
  const type = "type" in given && typeof given.type === "string" ? given.type : "";
  const urls = "urls" in given && Array.isArray(given.urls) ? given.urls : [];
  return { type, urls: urls.filter((url) => typeof url === "string") };
}

/** One after another: keeping many files must not crowd out what the screen asks for. */
async function fetchAll(urls: readonly string[], kept: boolean): Promise<KeepAnswer> {
  const answer: KeepAnswer = { kept: [], failed: [] };
  for (const url of urls) {
    const done = await fetchWhole(url, kept).catch(() => false);
    (done ? answer.kept : answer.failed).push(url);
  }
  return answer;
}
