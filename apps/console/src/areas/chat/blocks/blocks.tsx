import type { Room } from '../log/room.js';
import { Picture as RemotePicture } from '../../../ui/media/picture.js';
import { Markdown } from '../markdown/markdown.js';
import styles from './blocks.module.css';
import { ContextActions } from './context-actions.js';
import { Element } from './element.js';
import { address, asFields, objects, text as textOf } from './metadata.js';
import type { Fields } from './metadata.js';

interface BlocksProps {
  blocks: readonly Fields[];
  messageId: string;
  room: Room | undefined;
}

/** Renders blocks. Skips unknown ones. */
export function Blocks({ blocks, messageId, room }: BlocksProps) {
  return blocks.map((block, index) => <Block key={index} block={block} messageId={messageId} room={room} />);
}

function Block({ block, messageId, room }: { block: Fields; messageId: string; room: Room | undefined }) {
  switch (block.type) {
    case 'header':
      return <p className={styles.header}>{textOf(block.text)}</p>;
    case 'section':
      return <Section block={block} />;
    case 'divider':
      return <hr className={styles.divider} />;
    case 'context':
      return (
        <div className={styles.context}>
          {objects(block.elements).map((element, index) => (
            <TextOrImage key={index} part={element} />
          ))}
        </div>
      );
    case 'image':
      return <Picture image={block} />;
    case 'actions':
      return (
        <div className={styles.actions}>
          {objects(block.elements).map((element) => (
            <Element key={textOf(element.action_id)} element={element} messageId={messageId} room={room} />
          ))}
        </div>
      );
    case 'context_actions':
      return <ContextActions block={block} messageId={messageId} room={room} />;
    default:
      return null;
  }
}

function Section({ block }: { block: Fields }) {
  const fields = objects(block.fields);
  const accessory = asFields(block.accessory);
  return (
    <div className={styles.section}>
      <div className={styles.sectionText}>
        {textOf(block.text) !== '' && <Words part={block.text} />}
        {fields.length > 0 && (
          <div className={styles.fields}>
            {fields.map((field, index) => (
              <Words key={index} part={field} />
            ))}
          </div>
        )}
      </div>
      {accessory.type === 'image' && address(accessory.image_url) !== '' && (
        <RemotePicture
          className={styles.accessory}
          src={address(accessory.image_url)}
          alt={textOf(accessory.alt_text)}
          isSmall
        />
      )}
    </div>
  );
}

/** A text element: Markdown or plain text. */
function Words({ part }: { part: unknown }) {
  if (asFields(part).type === 'plain_text') return <p className={styles.plain}>{textOf(part)}</p>;
  return <Markdown text={textOf(part)} />;
}

function TextOrImage({ part }: { part: Fields }) {
  if (part.type !== 'image') return <Words part={part} />;
  const source = address(part.image_url);
  return source === '' ? null : (
    <RemotePicture className={styles.tiny} src={source} alt={textOf(part.alt_text)} isSmall />
  );
}

/** An image with its title. */
function Picture({ image }: { image: Fields }) {
  const source = address(image.image_url);
  if (source === '') return null;
  const title = textOf(image.title);
  return (
    <figure className={styles.figure}>
      {title !== '' && <figcaption>{title}</figcaption>}
      <RemotePicture src={source} alt={textOf(image.alt_text)} />
    </figure>
  );
}
