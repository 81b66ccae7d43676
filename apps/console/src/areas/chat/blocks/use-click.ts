import { clickAsPerson } from '@tieline/sdk/api';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { useToast } from '../../../ui/overlays/toast.js';
import type { FeedbackChoice } from '../log/message-log.js';
import type { Room } from '../log/room.js';
import { useModals } from '../modal/modal-provider.js';
import { text } from './metadata.js';
import type { Fields } from './metadata.js';
import { blockWords } from './words.js';

/** How long to wait for the answer of a polling bot. */
const WAIT_MS = 15_000;

interface Press {
  values?: readonly string[] | undefined;
  feedback?: FeedbackChoice;
}

/** Sends a click, a value or a judgment to the bot and shows its answer. */
export function useClick(element: Fields, messageId: string, room: Room | undefined) {
  const client = useApi();
  const words = useWords(blockWords);
  const modals = useModals();
  const toast = useToast();
  const [isWaiting, setWaiting] = useState(false);
  const click = useMutation({
    mutationFn: ({ values, feedback }: Press) =>
      clickAsPerson({
        client,
        path: { id: messageId },
        body: {
          action_id: text(element.action_id),
          signed_token: text(element.signed_token),
          ...(values && { selected_values: [...values] }),
          ...(feedback && { feedback }),
        },
      }),
    // The stream is a separate connection, so the answer may arrive before the response.
    onMutate: () => setWaiting(true),
    onSuccess: (answer, { feedback }) => {
      if (feedback) room?.take({ event: 'feedback', messageId, choice: feedback });
      if (answer.result !== 'queued') setWaiting(false);
      if (answer.result === 'ephemeral')
        room?.whisper({
          text: answer.ephemeral_text ?? '',
          messageId: answer.message_id,
          metadata: answer.metadata_json,
        });
      if (answer.result === 'duplicate' && !feedback) toast({ kind: 'good', text: words.duplicate });
      if (answer.result === 'noop' && !feedback) toast({ kind: 'good', text: words.done });
      modals.answered(answer, room?.conversationId);
    },
    onError: (failure) => {
      setWaiting(false);
      toast({ kind: 'bad', failure });
    },
  });
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setWaiting(false), WAIT_MS);
    // Treats the next event in this conversation as the answer.
    const end = room?.subscribe(() => setWaiting(false));
    const endModals = modals.whenShown(() => setWaiting(false));
    return () => {
      clearTimeout(timer);
      end?.();
      endModals();
    };
  }, [isWaiting, room, modals]);
  return {
    send: (values?: readonly string[]) => click.mutate({ values }),
    judge: (feedback: FeedbackChoice) => click.mutate({ feedback }),
    isSending: click.isPending,
    isPending: click.isPending || isWaiting,
    isOff: room === undefined || text(element.signed_token) === '',
  };
}
