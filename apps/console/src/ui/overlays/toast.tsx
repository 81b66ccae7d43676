import { createContext, use, useState } from 'react';
import type { ReactNode } from 'react';
import { Button, Text, UNSTABLE_Toast as Toast } from 'react-aria-components';
import {
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components';
import { useWords } from '../../language/use-words.js';
import { Cross } from '../icons.js';
import { failureText } from '../page/failure-text.js';
import { uiWords } from '../words.js';
import styles from './toast.module.css';

/** Text of the toast. For a failure: what happened and what to do. */
type Message = { kind: 'good' | 'bad'; text: string } | { kind: 'bad'; failure: unknown };

const Context = createContext<(message: Message) => void>(() => undefined);

/** Shows a short confirmation or error: `toast({ kind: 'good', text: words.saved })`. */
export const useToast = () => use(Context);

/** Container for toasts, one per page. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const words = useWords(uiWords);
  const [queue] = useState(() => new ToastQueue<Message>({ maxVisibleToasts: 3 }));
  const [say] = useState(() => (message: Message) => void queue.add(message, { timeout: 6000 }));
  const textOf = (message: Message) =>
    'text' in message ? message.text : failureText(message.failure, words);
  return (
    <Context value={say}>
      {children}
      <ToastRegion queue={queue} aria-label={words.notices} className={styles.region}>
        {({ toast }) => (
          <Toast toast={toast} className={`${styles.toast} ${styles[toast.content.kind]}`}>
            <ToastContent className={styles.content}>
              <Text slot="title">{textOf(toast.content)}</Text>
            </ToastContent>
            <Button slot="close" className={styles.close} aria-label={words.close}>
              <Cross size={14} />
            </Button>
          </Toast>
        )}
      </ToastRegion>
    </Context>
  );
}
