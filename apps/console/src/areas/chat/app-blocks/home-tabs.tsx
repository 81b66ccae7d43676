import { Link } from 'react-aria-components';
import { useWords } from '../../../language/use-words.js';
import styles from './home-tabs.module.css';
import { appWords } from './words.js';

/** Links between the messages with a bot and its Home tab. */
export function HomeTabs({ conversationId, isHome }: { conversationId: string; isHome: boolean }) {
  const words = useWords(appWords);
  const address = `/chat/${conversationId}`;
  return (
    <nav className={styles.tabs} aria-label={words.views}>
      <Link href={address} className={styles.tab} aria-current={isHome ? undefined : 'page'}>
        {words.messages}
      </Link>
      <Link href={`${address}?tab=home`} className={styles.tab} aria-current={isHome ? 'page' : undefined}>
        {words.home}
      </Link>
    </nav>
  );
}
