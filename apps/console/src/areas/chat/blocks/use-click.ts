import { clickAsPerson } from '@tieline/sdk/api';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { useToast } from '../../../ui/overlays/toast.js';
import type { Room } from '../log/room.js';
import { useModals } from '../modal/modal-provider.js';
import { text } from './metadata.js';
import type { Fields } from './metadata.js';
import { blockWords } from './words.js';

/** How long to wait for the answer of a polling bot. */
const WAIT_MS = 15_000;

/** Sends a click or a value to the bot and shows its answer. */
export function useClick(element: Fields, messageId: string, room: Room | undefined) {
  const client = useApi();
  const words = useWords(blockWords);
  const modals = useModals();
  const toast = useToast();
  const [isWaiting, setWaiting] = useState(false);
  const click = useMutation({
    mutationFn: (values?: readonly string[]) =>
      clickAsPerson({
        client,
        path: { id: messageId },
        body: {
          action_id: text(element.action_id),
          signed_token: text(element.signed_token),
          ...(values && { selected_values: [...values] }),
        },
      }),
    // The stream is a separate connection, so the answer may arrive before the response.
    onMutate: () => setWaiting(true),
    onSuccess: (answer) => {
      if (answer.result !== 'queued') setWaiting(false);
      if (answer.result === 'ephemeral')
        room?.whisper({
          text: answer.ephemeral_text ?? '',
          messageId: answer.message_id,
          metadata: answer.metadata_json,
        });
      if (answer.result === 'duplicate') toast({ kind: 'good', text: words.duplicate });
      if (answer.result === 'noop') toast({ kind: 'good', text: words.done });
      modals.answered(answer, room?.conversationId);
    },
    onError: (failure) => {
      setWaiting(false);
      toast({ kind: 'bad', text: failure.message });
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
    send: (values?: readonly string[]) => click.mutate(values),
    isPending: click.isPending || isWaiting,
    isOff: room === undefined || text(element.signed_token) === '',
  };
}
