import { ApiFailure } from '../../api/failure.js';
import { useWords } from '../../language/use-words.js';
import { Button } from '../actions/button.js';
import { uiWords } from '../words.js';
import { failureText, failureTitle, mayPass } from './failure-text.js';
import styles from './failure.module.css';
import { Note } from './note.js';

interface FailureProps {
  failure: unknown;
  /** Offers a retry. */
  onRetry?: () => unknown;
  /** Centers the failure on an empty page. */
  isPage?: boolean;
}

/** Shows what went wrong and what to do. */
export function Failure({ failure, onRetry, isPage }: FailureProps) {
  const words = useWords(uiWords);
  const requestId = failure instanceof ApiFailure && failure.status >= 500 ? failure.requestId : undefined;
  return (
    <div className={isPage ? styles.page : undefined}>
      <Note kind="bad">
        <strong className={styles.title}>{failureTitle(failure, words)}</strong>
        <span>{failureText(failure, words)}</span>
        {requestId && <code>{words.requestId(requestId)}</code>}
        {onRetry && mayPass(failure) && (
          <span className={styles.retry}>
            <Button isSmall onPress={() => onRetry()}>
              {words.retry}
            </Button>
          </span>
        )}
      </Note>
    </div>
  );
}
