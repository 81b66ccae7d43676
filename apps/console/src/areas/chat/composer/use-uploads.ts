import { useEffect, useState, useSyncExternalStore } from 'react';
import type { RefObject } from 'react';
import { useApi } from '../../../api/api-context.js';
import { uploadFile } from '../upload-file.js';
import { Uploads } from './uploads.js';
import type { ChosenFile } from './uploads.js';

/** Files for the next message of a conversation. Uploads are aborted when the user leaves it. */
export function useUploads(conversationId: string): { uploads: Uploads; files: readonly ChosenFile[] } {
  const client = useApi();
  const [uploads] = useState(
    () => new Uploads((file, sending) => uploadFile(client, conversationId, file, sending)),
  );
  useEffect(() => () => uploads.close(), [uploads]);
  return { uploads, files: useSyncExternalStore(uploads.subscribe, uploads.snapshot) };
}

/**
 * Accepts files dropped on the conversation.
 *
 * @returns whether files are dragged over it
 */
export function useDropped(
  element: RefObject<HTMLElement | null>,
  onFiles: (files: readonly File[]) => void,
): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const place = element.current?.closest('section');
    if (!place) return undefined;
    const listening = new AbortController();
    const { signal } = listening;
    place.addEventListener(
      'dragover',
      (event) => {
        if (!event.dataTransfer?.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      },
      { signal },
    );
    place.addEventListener(
      'dragleave',
      (event) => {
        if (!(event.relatedTarget instanceof Node && place.contains(event.relatedTarget))) setOver(false);
      },
      { signal },
    );
    place.addEventListener(
      'drop',
      (event) => {
        setOver(false);
        const files = [...(event.dataTransfer?.files ?? [])];
        if (files.length === 0) return;
        event.preventDefault();
        onFiles(files);
      },
      { signal },
    );
    return () => listening.abort();
  }, [element, onFiles]);
  return isOver;
}
