import { useSyncExternalStore } from 'react';
import { inRoom } from '../log/room.js';
import type { Room } from '../log/room.js';

const neverChanges = () => () => undefined;

/** Returns what people think of a message. */
export function useFeedback(room: Room | undefined, messageId: string) {
  return useSyncExternalStore(
    room?.subscribe ?? neverChanges,
    () => room && inRoom(room.snapshot(), messageId)?.feedback,
  );
}
