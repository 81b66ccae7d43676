import type { ConversationView, MessageView } from '@tieline/sdk/api';
import { Link } from 'react-aria-components';
import { usePreferences } from '../../../language/preferences-context.js';
import { useWords } from '../../../language/use-words.js';
import { formatClock, formatDay } from '../../../ui/data/formats.js';
import { Replies } from '../../../ui/icons.js';
import { chatWords } from '../words.js';
import styles from './message.module.css';

/** Title, number of replies and time of the last one. Opens the thread. */
export function RepliesLink({
  message,
  conversation,
}: {
  message: MessageView;
  conversation: ConversationView;
}) {
  const words = useWords(chatWords);
  const { language } = usePreferences();
  const { reply_count: count = 0, last_reply_at: last, thread_title: title } = message;
  if (count === 0 && title === undefined) return null;
  return (
    <Link href={`/chat/${conversation.id}?thread=${message.id}`} className={styles.replies}>
      <Replies size={14} />
      {title !== undefined && <span className={styles.threadTitle}>{title}</span>}
      {count > 0 && <span>{words.replyCount(count)}</span>}
      {last !== undefined && (
        <time className={styles.clock} dateTime={last}>
          {words.lastReply(isToday(last) ? formatClock(language, last) : formatDay(language, last))}
        </time>
      )}
    </Link>
  );
}

const isToday = (instant: string): boolean => new Date(instant).toDateString() === new Date().toDateString();
