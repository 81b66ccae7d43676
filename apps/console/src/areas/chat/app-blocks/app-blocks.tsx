import { Fragment, useMemo } from 'react';
import { useWords } from '../../../language/use-words.js';
import { Note } from '../../../ui/page/note.js';
import { Picture } from '../../../ui/media/picture.js';
import blockStyles from '../blocks/blocks.module.css';
import contextStyles from '../blocks/context-actions.module.css';
import { address, asFields, objects, text } from '../blocks/metadata.js';
import type { Fields } from '../blocks/metadata.js';
import { Context, SectionText, SmallImage } from '../blocks/parts.js';
import { Markdown } from '../markdown/markdown.js';
import { AppElement } from './app-element.js';
import { AppText } from './app-text.js';
import styles from './app-blocks.module.css';
import { appBudget } from './app-budget.js';
import { Card, Carousel, Container } from './cards.js';
import { RichText } from './rich-text.js';
import { SurfaceContext } from './surface.js';
import type { Surface } from './surface.js';
import { DataTable, Table } from './tables.js';
import { Plan, TaskCard } from './tasks.js';
import { appWords } from './words.js';

interface AppBlocksProps {
  blocks: readonly Fields[];
  surface: Surface;
}

/** Blocks of a Slack app. What is too large or unknown is shown as text. */
export function AppBlocks({ blocks, surface }: AppBlocksProps) {
  const { drawn, rest } = useMemo(() => appBudget(blocks), [blocks]);
  return (
    <SurfaceContext value={surface}>
      <div className={blockStyles.rich}>
        {drawn.map((block, index) => (
          <AppBlock key={text(block.block_id) || index} block={block} />
        ))}
        {rest !== '' && <p className={blockStyles.plain}>{rest}</p>}
      </div>
    </SurfaceContext>
  );
}

/** A block of any type. */
function AppBlock({ block }: { block: Fields }) {
  switch (block.type) {
    case 'header':
      return <p className={blockStyles.header}>{text(block.text)}</p>;
    case 'section':
      return <Section block={block} />;
    case 'divider':
      return <hr className={blockStyles.divider} />;
    case 'context':
      return <Context block={block} Text={AppText} />;
    case 'image':
      return <Image block={block} />;
    case 'actions':
      return <Elements block={block} className={blockStyles.actions} />;
    case 'context_actions':
      return <Elements block={block} className={contextStyles.row} />;
    case 'input':
      return <InputBlock block={block} />;
    case 'markdown':
      return <Markdown text={text(block.text)} />;
    case 'rich_text':
      return <RichText block={block} />;
    case 'table':
      return <Table block={block} />;
    case 'data_table':
      return <DataTable block={block} />;
    case 'card':
      return <Card block={block} />;
    case 'carousel':
      return <Carousel block={block} />;
    case 'container':
      return (
        <Container block={block}>
          {objects(block.child_blocks).map((child, index) => (
            <AppBlock key={text(child.block_id) || index} block={child} />
          ))}
        </Container>
      );
    case 'alert':
      return <Alert block={block} />;
    case 'task_card':
      return <TaskCard task={block} />;
    case 'plan':
      return <Plan block={block} />;
    case 'video':
      return <Video block={block} />;
    default:
      return null;
  }
}

/** Text, fields, and an image or element next to them. */
function Section({ block }: { block: Fields }) {
  const accessory = asFields(block.accessory);
  return (
    <div className={styles.section}>
      <SectionText block={block} Text={AppText} />
      {accessory.type === 'image' ? (
        <SmallImage image={accessory} className={blockStyles.accessory} />
      ) : (
        accessory.type !== undefined && (
          <div className={styles.accessory}>
            <AppElement
              element={accessory}
              blockId={text(block.block_id)}
              label={labelOf(accessory, block)}
            />
          </div>
        )
      )}
    </div>
  );
}

/** An element without a text has the text of its section as name for screen readers. */
const labelOf = (element: Fields, block: Fields): string =>
  element.type === 'button' ? '' : text(element.placeholder) || text(block.text).replaceAll(/[*_~`]/g, '');

function Image({ block }: { block: Fields }) {
  const source = address(block.image_url);
  const title = text(block.title);
  return (
    <figure className={blockStyles.figure}>
      {title !== '' && <figcaption>{title}</figcaption>}
      {source === '' ? <p>{text(block.alt_text)}</p> : <Picture src={source} alt={text(block.alt_text)} />}
    </figure>
  );
}

function Elements({ block, className }: { block: Fields; className: string | undefined }) {
  return (
    <div className={className}>
      {objects(block.elements).map((element, index) => (
        <Fragment key={text(element.action_id) || index}>
          <AppElement element={element} blockId={text(block.block_id)} />
        </Fragment>
      ))}
    </div>
  );
}

/** A labeled field. In modals its value is submitted. */
function InputBlock({ block }: { block: Fields }) {
  return (
    <div data-block={text(block.block_id)}>
      <AppElement
        element={asFields(block.element)}
        blockId={text(block.block_id)}
        label={text(block.label)}
        hint={text(block.hint) || undefined}
        isRequired={block.optional !== true}
        isInput
        isDispatching={block.dispatch_action === true}
      />
    </div>
  );
}

const LEVELS = { info: 'info', warning: 'warning', error: 'bad', success: 'good' } as const;

function Alert({ block }: { block: Fields }) {
  const level = text(block.level) as keyof typeof LEVELS;
  return (
    <Note kind={LEVELS[level] ?? 'info'}>
      <AppText part={block.text} />
    </Note>
  );
}

/** A video as a link, because players of other sites are not loaded. */
function Video({ block }: { block: Fields }) {
  const words = useWords(appWords);
  const link = address(block.title_url) || address(block.video_url);
  const title = text(block.title) || words.video;
  return (
    <figure className={blockStyles.figure}>
      <figcaption>
        {link === '' ? (
          title
        ) : (
          <a href={link} target="_blank" rel="noreferrer noopener">
            {title}
          </a>
        )}
      </figcaption>
      {address(block.thumbnail_url) !== '' && (
        <Picture src={address(block.thumbnail_url)} alt={text(block.alt_text)} />
      )}
      {text(block.description) !== '' && <AppText part={block.description} />}
    </figure>
  );
}
