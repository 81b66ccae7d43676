import { listPinsAsPerson } from '@tieline/sdk/api';
import type { ConversationView } from '@tieline/sdk/api';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { ButtonLink } from '../../../ui/actions/button.js';
import { Pin } from '../../../ui/icons.js';
import { Dialog } from '../../../ui/overlays/dialog.js';
import { Empty } from '../../../ui/page/empty.js';
import { Failure } from '../../../ui/page/failure.js';
import { Loading } from '../../../ui/page/loading.js';
import { MessageBody } from '../message/message-body.js';
import { useNames } from '../names.js';
import { chatWords } from '../words.js';
import styles from './settings.module.css';

interface PinsProps {
  conversation: ConversationView;
  isOpen: boolean;
  onClose: () => void;
}

/** Pinned messages of the conversation. */
export function Pins({ conversation, isOpen, onClose }: PinsProps) {
  const words = useWords(chatWords);
  return (
    <Dialog title={words.pins} isOpen={isOpen} onClose={onClose} isWide>
      {isOpen && <PinList conversation={conversation} onClose={onClose} />}
    </Dialog>
  );
}

function PinList({ conversation, onClose }: { conversation: ConversationView; onClose: () => void }) {
  const client = useApi();
  const words = useWords(chatWords);
  const names = useNames();
  const { data, error, refetch } = useQuery({
    queryKey: ['chat', 'pins', conversation.id],
    queryFn: () => listPinsAsPerson({ client, path: { id: conversation.id } }),
    staleTime: 0,
  });
  if (error) return <Failure failure={error} onRetry={refetch} />;
  if (!data) return <Loading />;
  if (data.pins.length === 0)
    return (
      <Empty icon={<Pin size={24} />} title={words.noPins}>
        {words.noPinsText}
      </Empty>
    );
  return (
    <ul className={styles.pins}>
      {data.pins.map((message) => (
        <li key={message.id} className={styles.pin}>
          <strong>{names.author(message)}</strong>
          <MessageBody message={message} isStill />
          <ButtonLink isSmall href={`/chat/${conversation.id}?at=${message.msg_index}`} onPress={onClose}>
            {words.goTo}
          </ButtonLink>
        </li>
      ))}
    </ul>
  );
}
