import { useEffect, useRef, useState } from 'react';
import { Button, Input, SearchField } from 'react-aria-components';
import { useWords } from '../../../language/use-words.js';
import { Cross, Search } from '../../../ui/icons.js';
import { uiWords } from '../../../ui/words.js';
import { MAX_LENGTH } from './message-search.js';
import styles from './search.module.css';
import { searchWords } from './words.js';

/** How long after the last key the search starts. Enter starts it immediately. */
const WAIT_MS = 250;

interface SearchBoxProps {
  value: string;
  onSearch: (text: string) => void;
}

/** The search box. Searches while the user types. */
export function SearchBox({ value, onSearch }: SearchBoxProps) {
  const words = useWords(searchWords);
  const general = useWords(uiWords);
  const [typed, setTyped] = useState(value);
  const searched = useRef(value);
  const latest = useRef(onSearch);
  useEffect(() => {
    latest.current = onSearch;
  });
  useEffect(() => {
    // The address has changed, but not because of this box.
    if (value === searched.current) return;
    searched.current = value;
    setTyped(value);
  }, [value]);
  const start = (text: string) => {
    const wanted = text.trim();
    if (wanted === searched.current) return;
    searched.current = wanted;
    latest.current(wanted);
  };
  useEffect(() => {
    const timer = setTimeout(() => start(typed), WAIT_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <SearchField
      className={styles.box}
      aria-label={words.box}
      value={typed}
      onChange={setTyped}
      onSubmit={start}
      maxLength={MAX_LENGTH}
      autoFocus
    >
      <Search size={18} />
      <Input className={styles.input} placeholder={words.placeholder} />
      {typed !== '' && (
        <Button className={styles.clear} aria-label={general.clear}>
          <Cross size={16} />
        </Button>
      )}
    </SearchField>
  );
}
