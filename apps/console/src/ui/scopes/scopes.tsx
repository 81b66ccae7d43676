import { useId } from 'react';
import { useWords } from '../../language/use-words.js';
import styles from './scopes.module.css';
import { appScopesWords, scopeWords } from './words.js';

interface ShownScope {
  name: string;
  /** The API's words, for a scope that the console does not know. */
  description?: string;
}

interface AppScopesProps {
  bot: readonly ShownScope[];
  user: readonly ShownScope[];
  /** For admins, who decide what other people may allow. */
  isForOthers?: boolean;
}

/** What an app asks for, in plain words. */
export function AppScopes({ bot, user, isForOthers }: AppScopesProps) {
  const words = useWords(appScopesWords);
  return (
    <>
      <Scopes title={words.forBot} scopes={bot} />
      <Scopes title={isForOthers ? words.forPeople : words.forPerson} scopes={user} />
    </>
  );
}

/** Scopes in plain words under a title. Nothing without scopes. */
export function Scopes({ title, scopes }: { title: string; scopes: readonly ShownScope[] }) {
  const words: Readonly<Record<string, string>> = useWords(scopeWords);
  const id = useId();
  if (scopes.length === 0) return null;
  return (
    <section className={styles.scopes} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul>
        {scopes.map(({ name, description }) => (
          <li key={name}>{words[name] ?? description ?? name}</li>
        ))}
      </ul>
    </section>
  );
}

/** Returns scopes that the API names without a description. */
export const namedScopes = (names: readonly string[]): ShownScope[] => names.map((name) => ({ name }));
