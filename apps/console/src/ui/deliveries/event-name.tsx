import { useWords } from '../../language/use-words.js';
import { eventWords } from './event-words.js';

/** Name of an event type in the user's language, with the type on hover. */
export function EventName({ type }: { type: string }) {
  return <span title={type}>{useEventName()(type)}</span>;
}

/** Returns the name of an event type, or the type itself. */
export function useEventName(): (type: string) => string {
  const words = useWords(eventWords);
  return (type) => (Object.hasOwn(words, type) ? words[type as keyof typeof words] : type);
}
