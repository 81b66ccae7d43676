import { useState } from 'react';
import { Button } from 'react-aria-components';
import { usePreferences } from '../../language/preferences-context.js';
import { useWords } from '../../language/use-words.js';
import { PictureIcon } from '../icons.js';
import { uiWords } from '../words.js';
import styles from './picture.module.css';

interface PictureProps {
  /** An https address or one of this server. */
  src: string;
  alt: string;
  className?: string | undefined;
  /** Too small for text: a tooltip names the host. */
  isSmall?: boolean;
}

/**
 * Whether an image is loaded without asking: images of this server always, others if the user chose
 * so.
 */
export function useLoadsAutomatically(src: string): boolean {
  const { pictures } = usePreferences();
  return pictures === 'always' || hostOf(src) === window.location.host;
}

/**
 * An image chosen by a sender. Its host learns who views it and when, so it is loaded on request,
 * unless the user has chosen to load all.
 */
export function Picture({ src, alt, className, isSmall }: PictureProps) {
  const words = useWords(uiWords);
  const [isAsked, setAsked] = useState(false);
  const isLoaded = useLoadsAutomatically(src) || isAsked;
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
