/** A photo on its way into a conversation, whether picked, pasted or dropped: at most one, and only pictures. */
import { type DragEvent, lazy, Suspense, useState } from "react";

const SendPhoto = lazy(() => import("./send-photo").then((file) => ({ default: file.SendPhoto })));

export function usePhotoChoice(conversationId: string) {
  const [file, setFile] = useState<File | null>(null);
  const [isOver, setOver] = useState(false);
  // Anything but a picture is ignored without a word (specification §5).
  const choose = (chosen: File | undefined) => {
    if (chosen?.type.startsWith("image/")) setFile(chosen);
  };
  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes("Files");
  return {
    choose,
    isOver,
    dropTarget: {
      onDragOver: (event: DragEvent) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: (event: DragEvent) => {
        const to = event.relatedTarget;
        if (!(to instanceof Node) || !event.currentTarget.contains(to)) setOver(false);
      },
      onDrop: (event: DragEvent) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(false);
        choose([...event.dataTransfer.files].find(({ type }) => type.startsWith("image/")));
      },
    },
    dialog:
      file === null ? null : (
        <Suspense fallback={null}>
          <SendPhoto
            key={`${file.name} ${file.size} ${file.lastModified}`}
            file={file}
            conversationId={conversationId}
            onClose={() => setFile(null)}
          />
        </Suspense>
      ),
  };
}
