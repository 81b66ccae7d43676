import type { Room } from '../log/room.js';
import { Picture as RemotePicture } from '../../../ui/media/picture.js';
import { Markdown } from '../markdown/markdown.js';
import styles from './blocks.module.css';
import { ContextActions } from './context-actions.js';
import { Element } from './element.js';
import { address, asFields, objects, text as textOf } from './metadata.js';
import type { Fields } from './metadata.js';
import { Context, SectionText, SmallImage } from './parts.js';

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
      return <Context block={block} Text={Words} />;
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
  const accessory = asFields(block.accessory);
  return (
    <div className={styles.section}>
      <SectionText block={block} Text={Words} />
      {accessory.type === 'image' && <SmallImage image={accessory} className={styles.accessory} />}
    </div>
  );
}

/** A text element: Markdown or plain text. */
function Words({ part }: { part: unknown }) {
  if (asFields(part).type === 'plain_text') return <p className={styles.plain}>{textOf(part)}</p>;
  return <Markdown text={textOf(part)} />;
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
