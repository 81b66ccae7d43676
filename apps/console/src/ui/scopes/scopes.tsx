import type { ScopeView } from '@tieline/sdk/api';
import { useId } from 'react';
import { useWords } from '../../language/use-words.js';
import styles from './scopes.module.css';
import { scopeWords } from './words.js';

/** Scopes in plain words. A scope that the console does not know has those of the API. */
export function Scopes({ title, scopes }: { title: string; scopes: readonly ScopeView[] }) {
  const words: Readonly<Record<string, string>> = useWords(scopeWords);
  const id = useId();
  if (scopes.length === 0) return null;
  return (
    <section className={styles.scopes} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul>
        {scopes.map(({ name, description }) => (
          <li key={name}>{words[name] ?? description}</li>
        ))}
      </ul>
    </section>
  );
}
