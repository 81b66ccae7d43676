import { useState } from 'react';
import { Button } from 'react-aria-components';
import { usePreferences } from '../../app/preferences/preferences-context.js';
import { useWords } from '../../app/words/use-words.js';
import { PictureIcon } from '../icons.js';
import { uiWords } from '../words.js';
import styles from './picture.module.css';

interface PictureProps {
  /** Over TLS or of this server. */
  src: string;
  alt: string;
  className?: string | undefined;
  /** No room for words: the host is named by a tooltip. */
  isSmall?: boolean;
}

/**
 * Whether a picture may be loaded without asking: of this server always, of others where the reader
 * chose so.
 */
export function useLoadsAtOnce(src: string): boolean {
  const { pictures } = usePreferences();
  return pictures === 'always' || hostOf(src) === window.location.host;
}

/**
 * A picture that somebody else names. Its host learns who looks, and when; so it is loaded once the
 * reader asks, or has chosen that all are.
 */
export function Picture({ src, alt, className, isSmall }: PictureProps) {
  const words = useWords(uiWords);
  const [isAsked, setAsked] = useState(false);
  const isLoaded = useLoadsAtOnce(src) || isAsked;
  if (isLoaded)
    return <img className={className} src={src} alt={alt} referrerPolicy="no-referrer" loading="lazy" />;
  const text = words.showPicture(hostOf(src));
  return (
    <Button
      className={`${styles.asked} ${isSmall ? styles.small : ''}`}
      aria-label={alt === '' ? text : `${alt}. ${text}`}
      onPress={() => setAsked(true)}
    >
      <PictureIcon size={isSmall ? 14 : 16} />
      {!isSmall && <span>{text}</span>}
    </Button>
  );
}

const hostOf = (src: string): string => (URL.canParse(src) ? new URL(src).host : '');
