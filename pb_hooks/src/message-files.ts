/** Photos of chats. Their address carries a token, so no cache but the app's own, which dies with the login, may keep them. */
export function sendMessageFile(e: core.FileDownloadRequestEvent): void {
  const { requestEvent: request } = e as unknown as { requestEvent: core.RequestEvent };
  request.response.header().set("Cache-Control", "private, no-store");
  e.next();
}
