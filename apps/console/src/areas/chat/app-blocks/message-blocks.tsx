import { useApi } from '../../../api/api-context.js';
import { useReadable } from '../conversations/use-readable.js';
import type { Fields } from '../blocks/metadata.js';
import { useFeedback } from '../blocks/use-feedback.js';
import type { FeedbackChoice } from '../log/message-log.js';
import type { Room } from '../log/room.js';
import { sendAction, suggestOptions } from './app-api.js';
import { AppBlocks } from './app-blocks.js';
import { conversationId } from './slack-ids.js';
import { useSurfaceState } from './use-surface-state.js';

interface MessageBlocksProps {
  blocks: readonly Fields[];
  messageId: string;
  /** Without it, nothing can be pressed. */
  room: Room | undefined;
}

/** Blocks of a Slack app in a message. */
export function MessageBlocks({ blocks, messageId, room }: MessageBlocksProps) {
  const client = useApi();
  const here = useReadable().find(({ id }) => id === room?.conversationId);
  const owner = `messages/${messageId}` as const;
  const surface = useSurfaceState({
    id: owner,
    blocks,
    isOff: room === undefined,
    conversation: here && conversationId(here),
    send: (body) => sendAction(client, owner, body),
    suggest: (body) => suggestOptions(client, owner, body),
    fileConversation: () => Promise.resolve(room?.conversationId ?? ''),
  });
  const feedback = {
    mine: useFeedback(room, messageId)?.mine,
    take: (choice: FeedbackChoice) => room?.take({ event: 'feedback', messageId, choice }),
  };
  return <AppBlocks blocks={blocks} surface={{ ...surface, feedback }} />;
}
