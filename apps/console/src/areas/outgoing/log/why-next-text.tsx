import type { DeliveryDetailView, SubscriptionView } from '@tieline/sdk/api';
import type { Language } from '../../../language/define-words.js';
import { usePreferences } from '../../../language/preferences-context.js';
import { useWords } from '../../../language/use-words.js';
import { formatDuration } from '../../../ui/data/formats.js';
import { Time } from '../../../ui/data/time.js';
import { whyNext } from './why-next.js';
import type { Why } from './why-next.js';
import { logWords } from './words.js';

interface WhyNextProps {
  delivery: DeliveryDetailView;
  subscription: SubscriptionView;
}

/** Explains the time of the next attempt, or why there is none. */
export function WhyNext({ delivery, subscription }: WhyNextProps) {
  const words = useWords(logWords);
  const { language } = usePreferences();
  const isExtended = subscription.retry_profile === 'extended';
  return (
    <>
      {reason(whyNext(delivery, subscription), words, language, isExtended)}
      {delivery.next_attempt_at && (
        <>
          {' '}
          {words.next}: <Time at={delivery.next_attempt_at} />
        </>
      )}
    </>
  );
}

function reason(why: Why, words: (typeof logWords)['en'], language: Language, isExtended: boolean): string {
  switch (why.kind) {
    case 'breaker':
      return words.breaker(why.failures);
    case 'retryAfter':
      return words.retryAfter(why.code, formatDuration(language, why.afterMs));
    case 'backoff': {
      const time = formatDuration(language, why.afterMs);
      return isExtended ? words.backoffExtended(why.attempt, time) : words.backoff(why.attempt, time);
    }
    case 'redirected':
    case 'refused':
      return words[why.kind](why.code);
    case 'exhausted':
      return words.exhausted(why.attempts);
    case 'abandoned':
      return words.abandoned(why.error);
    default:
      return words[why.kind];
  }
}
