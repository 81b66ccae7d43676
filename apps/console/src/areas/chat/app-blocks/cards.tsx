import type { ReactNode } from 'react';
import { useWords } from '../../../language/use-words.js';
import { Picture } from '../../../ui/media/picture.js';
import blockStyles from '../blocks/blocks.module.css';
import { address, asFields, objects, text } from '../blocks/metadata.js';
import type { Fields } from '../blocks/metadata.js';
import { AppElement } from './app-element.js';
import { AppText } from './app-text.js';
import styles from './app-blocks.module.css';
import { RichText } from './rich-text.js';
import { SmallImage } from '../blocks/parts.js';
import { appWords } from './words.js';

/** A card: an image, texts and buttons. */
export function Card({ block }: { block: Fields }) {
  const hero = asFields(block.hero_image);
  return (
    <div className={styles.card}>
      {address(hero.image_url) !== '' && (
        <Picture className={styles.hero} src={address(hero.image_url)} alt={text(hero.alt_text)} />
      )}
      <div className={styles.cardHead}>
        <SmallImage image={asFields(block.icon)} className={styles.icon} />
        <div className={styles.cardTitle}>
          {text(block.title) !== '' && (
            <strong>
              <AppText part={block.title} />
            </strong>
          )}
          {text(block.subtitle) !== '' && (
            <div className={styles.soft}>
              <AppText part={block.subtitle} />
            </div>
          )}
        </div>
      </div>
      {text(block.body) !== '' && <AppText part={block.body} />}
      {text(block.subtext) !== '' && (
        <div className={styles.soft}>
          <AppText part={block.subtext} />
        </div>
      )}
      {objects(block.actions).length > 0 && (
        <div className={blockStyles.actions}>
          {objects(block.actions).map((element, index) => (
            <AppElement
              key={text(element.action_id) || index}
              element={element}
              blockId={text(block.block_id)}
            />
          ))}
        </div>
      )}
    </div>
  );
}

/** Cards next to each other, which scroll sideways. */
export function Carousel({ block }: { block: Fields }) {
  const words = useWords(appWords);
  return (
    <div className={styles.carousel} role="group" aria-label={words.cards} tabIndex={0}>
      {objects(block.elements).map((card, index) => (
        <Card key={text(card.block_id) || index} block={card} />
      ))}
    </div>
  );
}

/** Blocks below a title, which may be collapsed. */
export function Container({ block, children }: { block: Fields; children: ReactNode }) {
  const title = (
    <>
      <SmallImage image={asFields(block.icon)} className={blockStyles.tiny} />
      {block.rich_text_title === undefined ? (
        <strong>{text(block.title)}</strong>
      ) : (
        <RichText block={asFields(block.rich_text_title)} />
      )}
      {text(block.subtitle) !== '' && (
        <span className={styles.soft}>
          <AppText part={block.subtitle} />
        </span>
      )}
    </>
  );
  if (block.is_collapsible !== true)
    return (
      <div className={styles.card}>
        <div className={styles.containerHead}>{title}</div>
        {children}
      </div>
    );
  return (
    <details className={styles.card} open={block.default_collapsed !== true}>
      <summary className={styles.containerHead}>{title}</summary>
      <div className={styles.containerBody}>{children}</div>
    </details>
  );
}
