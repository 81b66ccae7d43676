import { getConversationAsPerson, getMessageAsPerson } from '@tieline/sdk/api';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useApi } from '../../api/api-context.js';
import type { ApiClient } from '../../api/api-session.js';
import { Loading } from '../../ui/page/loading.js';
import type { ChatSearch } from './chat-search.js';
import { Missing } from './conversations/missing.js';

/** Finds the message of a permalink and shows it in its conversation. */
export function PermalinkPage() {
  const client = useApi();
  const navigate = useNavigate();
  const { messageId = '' } = useParams({ strict: false });
  const { data, error, refetch } = useQuery({
    queryKey: ['chat', 'place', messageId],
    queryFn: () => placeOf(client, messageId),
  });
  useEffect(() => {
    if (data)
      void navigate({
        to: '/chat/$conversationId',
        params: { conversationId: data.conversationId },
        search: data.search,
        replace: true,
      });
  }, [data, navigate]);
  return error ? <Missing what="message" failure={error} onRetry={refetch} /> : <Loading isPage />;
}

async function placeOf(
  client: ApiClient,
  messageId: string,
): Promise<{ conversationId: string; search: ChatSearch }> {
  const { message } = await getMessageAsPerson({ client, path: { id: messageId } });
  const { conversation } = await getConversationAsPerson({ client, path: { id: message.conversation_id } });
  const { parent_conversation_id: parent, root_message_id: thread } = conversation;
  if (parent !== undefined && thread !== undefined) {
    // A deleted root has no place in the conversation.
    const root = await getMessageAsPerson({ client, path: { id: thread } }).catch(() => undefined);
    const at = root && { at: root.message.msg_index };
    return { conversationId: parent, search: { thread, ...at, reply: message.msg_index } };
  }
  return { conversationId: conversation.id, search: { at: message.msg_index } };
}
