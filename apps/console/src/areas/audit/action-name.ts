import { useWords } from '../../language/use-words.js';
import { actionWords } from './action-words.js';

/** Returns the label of an action, or the action itself if it has none. */
export function useActionName(): (action: string) => string {
  const words = useWords(actionWords) as Readonly<Record<string, string>>;
  return (action) => words[action] ?? action;
}
