/**
 * The client: the one way from everything above to the data below. What can be read and written of
 * a noun is declared where the noun implements it. Types only.
 */
import type { createClient } from "./create-client";

export type Client = ReturnType<typeof createClient>;
export type ClientReads = Client["reads"];
export type ClientWrites = Client["writes"];
