import { useEffect, useRef } from 'react';
import styles from './composer.module.css';
import type { Suggestion } from './use-suggestions.js';

interface SuggestionsProps {
  id: string;
  label: string;
  suggestions: readonly Suggestion[];
  active: number;
  onChoose: (suggestion: Suggestion) => void;
}

/** Suggestions for the cursor position. The focus stays in the text. */
export function Suggestions({ id, label, suggestions, active, onChoose }: SuggestionsProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active, suggestions]);
  return (
    <ul ref={list} id={id} role="listbox" aria-label={label} className={styles.suggestions}>
      {suggestions.map((suggestion, index) => (
        <li
          key={suggestion.value}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          className={styles.suggestion}
          onPointerDown={(event) => {
            event.preventDefault();
            onChoose(suggestion);
          }}
        >
          <strong>{suggestion.label}</strong>
          {suggestion.hint !== undefined && <span>{suggestion.hint}</span>}
        </li>
      ))}
    </ul>
  );
}
