import type { ComponentType } from 'react';
import { Picture } from '../../../ui/media/picture.js';
import styles from './blocks.module.css';
import { address, objects, text } from './metadata.js';
import type { Fields } from './metadata.js';

/** A small image. Images without a public address are left out. */
export function SmallImage({ image, className }: { image: Fields; className: string | undefined }) {
  const source = address(image.image_url);
  return source === '' ? null : (
    <Picture className={className} src={source} alt={text(image.alt_text)} isSmall />
  );
}

interface TextsProps {
  block: Fields;
  /** Draws a text object in the format of its sender. */
  Text: ComponentType<{ part: unknown }>;
}

/** The text and the fields of a section. */
export function SectionText({ block, Text }: TextsProps) {
  const fields = objects(block.fields);
  return (
    <div className={styles.sectionText}>
      {text(block.text) !== '' && <Text part={block.text} />}
      {fields.length > 0 && (
        <div className={styles.fields}>
          {fields.map((field, index) => (
            <Text key={index} part={field} />
          ))}
        </div>
      )}
    </div>
  );
}

/** A block of type `context`: small texts and images. */
export function Context({ block, Text }: TextsProps) {
  return (
    <div className={styles.context}>
      {objects(block.elements).map((element, index) =>
        element.type === 'image' ? (
          <SmallImage key={index} image={element} className={styles.tiny} />
        ) : (
          <Text key={index} part={element} />
        ),
      )}
    </div>
  );
}
