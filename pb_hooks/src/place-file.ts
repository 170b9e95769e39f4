/**
 * An upload's bytes become a record's stored file. On this machine's own disk they are moved, in no time and without
 * needing the space twice; where files live in S3, or on another disk, PocketBase copies them.
 */
import { partialPath } from "./partial-files";

const FOLDER_MODE = 0o755 as unknown as os.FileMode;
const FILE_MODE = 0o644 as unknown as os.FileMode;

export interface Placing {
  uploadId: string;
  name: string;
  contentType: string;
}

export interface Placed {
  /** For the record's file field. */
  value: string | filesystem.File;
  /** Puts the bytes back, when the record could not be saved. */
  undo: () => void;
}

/** What PocketBase's local storage keeps beside each file: without it, the type would be unknown when it is served. */
const attributes = ({ name, contentType }: Placing): string =>
  JSON.stringify({
    "user.cache_control": "",
    "user.content_disposition": "",
    "user.content_encoding": "",
    "user.content_language": "",
    "user.content_type": contentType,
    "user.metadata": { "original-filename": name },
    md5: null,
  });

function removeQuietly(path: string): void {
  try {
    $os.remove(path);
  } catch {
    // Not there, or a folder that is still in use.
  }
}

function move(app: CoreApp, row: core.Record, placing: Placing): Placed | null {
  const source = partialPath(app, placing.uploadId);
  const folder = $filepath.join(app.dataDir(), "storage", row.baseFilesPath());
  const target = $filepath.join(folder, placing.name);
  const undo = (): void => {
    removeQuietly(`${target}.attrs`);
    try {
      $os.rename(target, source);
    } catch {
      // It was never moved.
    }
    removeQuietly(folder);
  };
  try {
    $os.mkdirAll(folder, FOLDER_MODE);
    $os.writeFile(`${target}.attrs`, attributes(placing), FILE_MODE);
    $os.rename(source, target);
    return { value: placing.name, undo };
  } catch (error) {
    undo();
    app.logger().info("copying an upload that cannot be moved", "error", String(error));
    return null;
  }
}

/** Places the upload for `row`, whose id is set. Save the row next, or undo. */
export function placeFile(app: CoreApp, row: core.Record, placing: Placing): Placed {
  const moved = app.settings().s3.enabled ? null : move(app, row, placing);
  if (moved) return moved;
  const file = $filesystem.fileFromPath(partialPath(app, placing.uploadId));
  file.name = placing.name;
  file.originalName = placing.name;
  return { value: file, undo: () => undefined };
}
