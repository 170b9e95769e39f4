/** Rows of media without their files, straight into the database: for lists, searches and sizes that no test could upload. */
import type { PocketBase } from "@tests/support/pocketbase";
import { sql } from "@tests/support/sql";

export interface SeededMedium {
  id: string;
  caption: string;
  tags?: string[];
  type?: "photo" | "video";
  /** Hours ago. */
  age: number;
  views?: number;
}

/** A statement has 5,000 characters at most. */
const AT_ONCE = 15;

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** `token` is a superuser's. Ids must have 15 characters. */
export async function seedMedia(
  server: PocketBase,
  token: string,
  userId: string,
  media: readonly SeededMedium[],
): Promise<void> {
  const rows = media.map(({ id, caption, tags = [], type = "photo", age, views = 0 }) => {
    const at = `strftime('%Y-%m-%d %H:%M:%fZ', 'now', '-${age} hours')`;
    const texts = [id, userId, "", caption, JSON.stringify(tags), type, "a.jpg"].map(quoted);
    return `(${texts.join(", ")}, 900, 600, 'image/jpeg', ${views}, ${at}, ${at}, 0)`;
  });
  for (let i = 0; i < rows.length; i += AT_ONCE) {
    const some = rows.slice(i, i + AT_ONCE);
    await sql(
      server,
      token,
      `INSERT INTO media (id, userId, username, caption, tags, type, file, width, height, contentType, views,
       createdAt, updatedAt, seq) VALUES ${some.join(", ")}`,
    );
  }
}
