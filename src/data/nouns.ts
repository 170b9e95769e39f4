/** The nouns of the product, as the engine gets them from `createClient`. */
import { chatKinds, emptyChatOverlay } from "./chat/intents";
import { fetchMessagesAhead } from "./chat/messages";
import { chatCollections } from "./chat/row";
import { commentKinds, emptyCommentOverlay } from "./comments/intents";
import { commentCollections } from "./comments/row";
import { createNouns, type Noun } from "./engine/noun";
import { nameHeldMedia } from "./media/held";
import { emptyMediaOverlay, mediaKinds } from "./media/intents";
import { mediaCollections } from "./media/row";
import { evictMedia, pullFirstMedia, pullScreen } from "./media/windows";
import { notifications } from "./notifications";
import { emptyPeopleOverlay, peopleKinds } from "./people/intents";
import { fetchNamesAhead } from "./people/known-people";
import { peopleCollections } from "./people/row";
import { reports } from "./reports";
import { emptySaveOverlay, saveKinds } from "./saves/intents";
import { saveCollections } from "./saves/row";
import { fetchSavedAhead } from "./saves/views";
import { settings } from "./settings";

const media: Noun = {
  collections: mediaCollections,
  kinds: mediaKinds,
  emptyOverlay: emptyMediaOverlay,
  pullFirst: pullFirstMedia,
  pullScreen,
  fetchAhead: async (ahead) => (await import("./media/pull-followed")).fetchFollowedAhead(ahead),
  evict: evictMedia,
  nameWindow: nameHeldMedia,
  events: ({ name, written, removed }) =>
    name === "media"
      ? [
          ...written.map((mediaId) => ({ type: "mediaUpdated", mediaId }) as const),
          ...removed.map((mediaId) => ({ type: "media-deleted", mediaId }) as const),
        ]
      : [],
};

const comments: Noun = {
  collections: commentCollections,
  kinds: commentKinds,
  emptyOverlay: emptyCommentOverlay,
};

const people: Noun = {
  collections: peopleCollections,
  kinds: peopleKinds,
  emptyOverlay: emptyPeopleOverlay,
  fetchAhead: fetchNamesAhead,
};

const chat: Noun = {
  collections: chatCollections,
  kinds: chatKinds,
  emptyOverlay: emptyChatOverlay,
  fetchAhead: fetchMessagesAhead,
};

const saves: Noun = {
  collections: saveCollections,
  kinds: saveKinds,
  emptyOverlay: emptySaveOverlay,
  fetchAhead: fetchSavedAhead,
};

export const NOUNS = createNouns([
  media,
  people,
  comments,
  chat,
  saves,
  reports,
  notifications,
  settings,
]);
