/** A real SMTP server on the loopback interface that keeps what it gets, and how PocketBase is told to use it. */
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import type { PocketBase, SignedIn } from "./pocketbase";

export interface Mail {
  to: string;
  subject: string;
  /** The HTML part. */
  html: string;
}

export interface Mailbox {
  port: number;
  /** Everything that came, oldest first. */
  mails: Mail[];
  /** The next mail to `to` that `arrived` has not given yet. */
  arrived(to: string): Promise<Mail>;
  close(): Promise<void>;
}

const decodedWords = (header: string): string =>
  header.replace(/=\?utf-8\?([qb])\?([^?]*)\?=\s*/gi, (_all, kind: string, text: string) =>
    kind.toLowerCase() === "b"
      ? Buffer.from(text, "base64").toString()
      : quoted(text.replaceAll("_", " ")),
  );

/** What quoted-printable text says. */
function quoted(text: string): string {
  const bytes = text
    .replace(/=\r?\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_all, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  return Buffer.from(bytes, "latin1").toString("utf8");
}

function read(to: string, source: string): Mail {
  const subject = /^Subject: (.*(?:\r?\n[ \t].*)*)/im.exec(source)?.[1] ?? "";
  const part = source.slice(source.search(/^Content-Type: text\/html/im));
  const start = part.search(/\r?\n\r?\n/);
  return {
    to,
    subject: decodedWords(subject.replace(/\r?\n[ \t]/g, "")).trim(),
    html: quoted(part.slice(start).split(/\r?\n--/)[0] ?? ""),
  };
}

/** `refuse`: what the server answers to every address, as one that is broken does. */
export async function openMailbox({ refuse = false } = {}): Promise<Mailbox> {
  const mails: Mail[] = [];
  const given = new Set<Mail>();
  const waiting = new Set<() => void>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onRcptTo: (_address, _session, done) => done(refuse ? new Error("no such mailbox") : null),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const source = Buffer.concat(chunks).toString("latin1");
        for (const { address } of session.envelope.rcptTo) mails.push(read(address, source));
        done();
        for (const look of [...waiting]) look();
      });
    },
  });
  // One that ends while it sends a mail resets the connection.
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    arrived: (to) =>
      new Promise((resolve) => {
        const look = () => {
          const mail = mails.find((one) => one.to === to && !given.has(one));
          if (mail === undefined) return;
          waiting.delete(look);
          given.add(mail);
          resolve(mail);
        };
        waiting.add(look);
        look();
      }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Tells the server of a mailbox; null switches mail off. */
export async function setMail(
  server: PocketBase,
  superuser: SignedIn,
  port: number | null,
): Promise<void> {
  const smtp = { enabled: port !== null, host: "127.0.0.1", port: port ?? 25, tls: false };
  const body = {
    smtp,
    meta: { appURL: server.url, senderName: "Us", senderAddress: "us@example.com" },
  };
  const { status } = await server.api("PATCH", "/api/settings", body, superuser.token);
  if (status !== 200) throw new Error(`mail settings: ${status}`);
}

/** Lets the server begin at once what it does by itself every minute: mails arrive in their order. */
export async function runSchedule(server: PocketBase, superuser: SignedIn): Promise<void> {
  const { status } = await server.api("POST", "/api/crons/sendMails", undefined, superuser.token);
  if (status !== 204) throw new Error(`schedule: ${status}`);
}

/** The token in a mail's link to `path`. */
export function tokenIn(mail: Mail, path: string): string {
  const found = new RegExp(`href="[^"]*${path}#([^"]+)"`).exec(mail.html)?.[1];
  if (found === undefined) throw new Error(`No link to ${path} in: ${mail.html}`);
  return found;
}
