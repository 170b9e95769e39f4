/// <reference path="../.cache/pocketbase/types.d.ts" />
/**
 * Admins read messages and their photos by the panel's routes alone, which are audited: the record
 * and its protected files are for the two of the chat.
 */
migrate(
  (app) => {
    const messages = app.findCollectionByNameOrId("messages");
    const me = "@request.auth.id";
    messages.viewRule = `${me} != "" && (senderId = ${me} || recipientId = ${me}) && (@request.query.expand:isset = false || @request.query.expand !~ "_via_")`;
    app.save(messages);
  },
  () => {
    throw new Error("The first schema has no way back: restore a backup instead.");
  },
);
