import { ApiFailure } from '../../../api/failure.js';
import { useWords } from '../../../language/use-words.js';
import { ButtonLink } from '../../../ui/actions/button.js';
import { Empty } from '../../../ui/page/empty.js';
import { Failure } from '../../../ui/page/failure.js';
import styles from '../chat.module.css';
import { chatWords } from '../words.js';

interface MissingProps {
  what: 'conversation' | 'message';
  failure: unknown;
  onRetry: () => unknown;
}

/**
 * Shown when content could not be loaded. Explains missing content and offers a retry for other
 * errors.
 */
export function Missing({ what, failure, onRetry }: MissingProps) {
  const words = useWords(chatWords);
  const isThere = !(failure instanceof ApiFailure && (failure.status === 404 || failure.status === 403));
  if (isThere) return <Failure failure={failure} onRetry={onRetry} isPage />;
  return (
    <div className={styles.missing}>
      <Empty
        title={what === 'message' ? words.noSuchMessage : words.noSuchConversation}
        action={<ButtonLink href="/chat">{words.back}</ButtonLink>}
      >
        {what === 'message' ? words.noSuchMessageText : words.noSuchConversationText}
      </Empty>
    </div>
  );
}
