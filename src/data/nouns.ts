/** The nouns of the product, as the engine gets them from `createClient`. */
import { chatKinds, emptyChatOverlay } from "./chat/intents";
import { chatCollections } from "./chat/row";
import { comments } from "./comments";
import { createNouns, type Noun } from "./engine/noun";
import { emptyMediaOverlay, mediaKinds } from "./media/intents";
import { mediaCollections } from "./media/row";
import { evictMedia, pullFirstMedia, pullScreen } from "./media/windows";
import { emptyPeopleOverlay, peopleKinds } from "./people/intents";
import { peopleCollections } from "./people/row";
import { settings } from "./settings";

const media: Noun = {
  collections: mediaCollections,
  kinds: mediaKinds,
  emptyOverlay: emptyMediaOverlay,
  pullFirst: pullFirstMedia,
  pullScreen,
  evict: evictMedia,
  events: ({ name, written, removed }) =>
    name === "media"
      ? [
          ...written.map((mediaId) => ({ type: "mediaUpdated", mediaId }) as const),
          ...removed.map((mediaId) => ({ type: "media-deleted", mediaId }) as const),
        ]
      : [],
};

const people: Noun = {
  collections: peopleCollections,
  kinds: peopleKinds,
  emptyOverlay: emptyPeopleOverlay,
};

const chat: Noun = {
  collections: chatCollections,
  kinds: chatKinds,
  emptyOverlay: emptyChatOverlay,
};

export const NOUNS = createNouns([media, people, comments, chat, settings]);
