import { listMessages, sendMessageAsPerson } from '@tieline/sdk/api';
import { createContext, use, useState, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { useApi } from '../../../api/api-context.js';
import type { ApiClient } from '../../../api/api-session.js';
import type { LogEvent } from '../log/message-log.js';
import { Room } from '../log/room.js';
import type { RoomState } from '../log/room.js';
import { useLiveEvents } from './live-context.js';
import type { LiveEvent, LiveMessage } from './live-context.js';

/** Opened rooms by conversation id. Threads have the key `<channel>/<root message>`. */
class Rooms {
  private readonly rooms = new Map<string, Room>();
  private readonly threads = new Map<string, Room>();

  constructor(private readonly client: ApiClient) {}

  of(conversationId: string, rootId?: string): Room {
    const key = rootId === undefined ? conversationId : `${conversationId}/${rootId}`;
    const room = this.rooms.get(key) ?? this.made(conversationId, rootId);
    this.rooms.set(key, room);
    return room;
  }

  take(event: LiveEvent): void {
    if (event.event === 'connected' || event.event === 'resync')
      for (const room of this.rooms.values()) void room.catchUp({ isBack: true });
    else if ('msg_index' in event) this.takeMessage(event);
    else if (event.event === 'reaction.added' || event.event === 'reaction.removed')
      for (const room of this.everyRoom(event.conversation_id)) room.take(event as LogEvent);
    else if (event.event === 'thread.updated')
      this.rooms
        .get(event.conversation_id)
        ?.take({ event: 'titled', rootId: event.thread_id, title: event.title });
    else if (event.event === 'ephemeral') this.whisper(event);
  }

  private takeMessage(message: LiveMessage): void {
    this.roomOf(message)?.take({ event: message.event, message });
    if (message.event !== 'message.new' || message.thread_id === undefined) return;
    const { parent_conversation_id: parent } = message.conversation_context;
    const reply = { rootId: message.thread_id, index: message.msg_index, at: message.sent_at };
    this.rooms.get(parent ?? '')?.take({ event: 'reply', ...reply });
  }

  private whisper(event: Extract<LiveEvent, { event: 'ephemeral' }>): void {
    const [room] = this.everyRoom(event.conversation_id);
    if (!room) return;
    if (event.deleted) return room.dismiss(event.message_id ?? '');
    room.whisper({
      botId: event.bot_id,
      text: event.text,
      ...(event.message_id !== undefined && { messageId: event.message_id }),
      ...(event.metadata_json !== undefined && { metadata: event.metadata_json }),
      ...('app_blocks' in event && { appBlocks: event.app_blocks }),
    });
  }

  private roomOf(message: LiveMessage): Room | undefined {
    if (message.thread_id === undefined) return this.rooms.get(message.conversation_id);
    const parent = message.conversation_context.parent_conversation_id ?? message.conversation_id;
    const room = this.rooms.get(`${parent}/${message.thread_id}`);
    if (room) this.threads.set(message.conversation_id, room);
    return room;
  }

  /**
   * Rooms an event without context may belong to. A thread's own id is known once one of its
   * messages was loaded.
   */
  private everyRoom(conversationId: string): Room[] {
    const own = this.rooms.get(conversationId) ?? this.threads.get(conversationId);
    if (own) return [own];
    const found = [...this.rooms.values()].find((room) =>
      room.snapshot().log.messages.some((message) => message.conversation_id === conversationId),
    );
    return found ? [found] : [];
  }

  private made(conversationId: string, rootId?: string): Room {
    const { client } = this;
    return new Room(
      conversationId,
      (query) =>
        listMessages({
          client,
          path: { conversation_id: conversationId },
          query: { ...query, ...(rootId !== undefined && { thread_id: rootId }) },
        }),
      ({ text, files }, key) =>
        sendMessageAsPerson({
          client,
          path: { id: conversationId },
          headers: { 'Idempotency-Key': key },
          body: {
            text,
            ...(files.length > 0 && { attachments: files.map(({ id }) => ({ file_id: id })) }),
            ...(rootId !== undefined && { parent_message_id: rootId }),
          },
        }),
    );
  }
}

const Context = createContext<Rooms | undefined>(undefined);

/** Keeps opened rooms and passes live events to them. */
export function RoomsProvider({ children }: { children: ReactNode }) {
  const client = useApi();
  const [rooms] = useState(() => new Rooms(client));
  useLiveEvents((event) => rooms.take(event));
  return <Context value={rooms}>{children}</Context>;
}

/** Returns the room of a conversation or thread. */
export function useRoom(conversationId: string, rootId?: string): Room {
  const rooms = use(Context);
  if (!rooms) throw new Error('no rooms: render inside <RoomsProvider>');
  return rooms.of(conversationId, rootId);
}

/** Returns the current state of a room. */
export const useRoomState = (room: Room): RoomState => useSyncExternalStore(room.subscribe, room.snapshot);
