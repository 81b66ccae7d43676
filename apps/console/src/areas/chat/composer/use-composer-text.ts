import type { ListedCommandView } from '@tieline/sdk/api';
import { useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { commandName, completed, typingAt } from '../command/command-line.js';
import { useDraft } from './use-draft.js';
import { useSuggestions } from './use-suggestions.js';
import type { Suggestion } from './use-suggestions.js';

/**
 * State of the text field: text, cursor, and suggestions for what is being typed.
 *
 * @param onEdit called when the text changes
 */
export function useComposerText(
  conversationId: string,
  rootId: string | undefined,
  commands: readonly ListedCommandView[],
  onEdit: () => void,
) {
  const field = useRef<HTMLTextAreaElement>(null);
  const draft = useDraft(conversationId, rootId);
  const [text, setText] = useState(draft.first);
  const [cursor, setCursor] = useState(0);
  const [active, setActive] = useState(0);
  const [hidden, setHidden] = useState<string>();
  const typing = typingAt(text, cursor, commands);
  const suggestions = useSuggestions(conversationId, typing, commands, commandName(text));
  const shown = hidden === text ? [] : suggestions;
  const at = Math.min(active, shown.length - 1);
  // Set before the next key press. A later frame would move the cursor while the user types.
  const caret = useRef<number | undefined>(undefined);
  useLayoutEffect(() => {
    grow(field.current);
    if (caret.current !== undefined) field.current?.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  }, [text]);

  const edit = (next: string, place: number) => {
    setText(next);
    draft.keep(next);
    setCursor(place);
    setActive(0);
    onEdit();
  };
  const write = (next: string, place: number) => {
    edit(next, place);
    caret.current = place;
  };
  const choose = (suggestion: Suggestion) => {
    if (!typing) return;
    const done = completed(text, cursor, typing, suggestion.value);
    write(done.text, done.cursor);
    field.current?.focus();
  };
  /** Handles keys that select suggestions. Returns whether the key was handled. */
  const takeKey = (event: KeyboardEvent): boolean => {
    const chosen = shown[at];
    if (!chosen) return false;
    if (event.key === 'ArrowDown') setActive((at + 1) % shown.length);
    else if (event.key === 'ArrowUp') setActive((at + shown.length - 1) % shown.length);
    else if (event.key === 'Escape') setHidden(text);
    else if (event.shiftKey) return false;
    else if (event.key === 'Tab' || (event.key === 'Enter' && !isWhole(typing?.typed, chosen)))
      choose(chosen);
    else return false;
    return true;
  };
  /** Puts a line back that could not be sent, unless the user has typed something else. */
  const restore = (line: string) => setText((now) => (now === '' ? line : now));
  return { field, text, shown, at, edit, write, restore, choose, takeKey, moveCursor: setCursor };
}

/** Whether nothing is left to complete, so that Enter sends. */
const isWhole = (typed: string | undefined, { value }: Suggestion): boolean =>
  typed !== undefined && typed !== '' && typed.replace(/^\//, '') === value.replace(/^\//, '');

/** Adjusts the height to the text, up to a third of the screen. */
function grow(field: HTMLTextAreaElement | null): void {
  if (!field) return;
  field.style.height = 'auto';
  field.style.height = `${Math.min(field.scrollHeight, window.innerHeight / 3)}px`;
}
