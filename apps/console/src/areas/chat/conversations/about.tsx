import type { ConversationView } from '@tieline/sdk/api';
import { useWords } from '../../../language/use-words.js';
import { Dialog } from '../../../ui/overlays/dialog.js';
import { chatWords } from '../words.js';
import styles from './about.module.css';

interface AboutProps {
  conversation: ConversationView;
  isOpen: boolean;
  onClose: () => void;
}

/** Topic and purpose of a conversation. */
export function About({ conversation, isOpen, onClose }: AboutProps) {
  const words = useWords(chatWords);
  const facts = [
    [words.topic, conversation.topic],
    [words.purpose, conversation.purpose],
  ] as const;
  return (
    <Dialog title={words.about} isOpen={isOpen} onClose={onClose}>
      <dl className={styles.facts}>
        {facts
          .filter(([, fact]) => fact !== '')
          .map(([name, fact]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{fact}</dd>
            </div>
          ))}
      </dl>
    </Dialog>
  );
}
