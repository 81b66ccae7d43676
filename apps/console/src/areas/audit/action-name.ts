import { useWords } from '../../app/words/use-words.js';
import { actionWords } from './action-words.js';

/** What an action is called; the action itself where it has no name. */
export function useActionName(): (action: string) => string {
  const words = useWords(actionWords) as Readonly<Record<string, string>>;
  return (action) => words[action] ?? action;
}
