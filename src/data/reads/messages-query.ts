/** The replica's question for the newest messages of a conversation. Ascending indexes only, as in feed-query. */
import type { MangoQuery } from "rxdb";
import type { MessageRow } from "@/data/schema/messages";

export interface MessagesQuery {
  conversationId: string;
  /** The largest sort key to show, or null (see sync/pull-messages). */
  deepest: number | null;
  limit: number;
}

export function messagesQuery({
  conversationId,
  deepest,
  limit,
}: MessagesQuery): MangoQuery<MessageRow> {
  return {
    selector: { conversationId, ...(deepest === null ? {} : { sortKey: { $lte: deepest } }) },
    sort: [{ sortKey: "asc" }],
    index: ["conversationId", "sortKey"],
    limit,
  };
}
