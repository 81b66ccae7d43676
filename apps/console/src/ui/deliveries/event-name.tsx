import { useWords } from '../../app/words/use-words.js';
import { eventWords } from './event-words.js';

/** What kind of event it is, in the reader's language; programs' name for it on hover. */
export function EventName({ type }: { type: string }) {
  return <span title={type}>{useEventName()(type)}</span>;
}

/** Names of events; a type that has none is its own. */
export function useEventName(): (type: string) => string {
  const words = useWords(eventWords);
  return (type) => (Object.hasOwn(words, type) ? words[type as keyof typeof words] : type);
}
