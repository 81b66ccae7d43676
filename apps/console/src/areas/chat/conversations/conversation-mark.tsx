import type { ConversationView } from '@tieline/sdk/api';
import { useNames } from '../names.js';
import { Bubble, Hash, Lock, Robot, Speaker } from '../../../ui/icons.js';

/** Icon for the kind of a conversation. */
export function ConversationMark({
  conversation,
  size = 15,
}: {
  conversation: ConversationView;
  size?: number;
}) {
  const names = useNames();
  if (conversation.is_direct) {
    const other = conversation.member_ids?.find((id) => id !== names.ownId);
    return names.all.some(({ id, isBot }) => id === other && isBot) ? (
      <Robot size={size} />
    ) : (
      <Bubble size={size} />
    );
  }
  if (conversation.type === 'voice') return <Speaker size={size} />;
  return conversation.is_public ? <Hash size={size} /> : <Lock size={size} />;
}
