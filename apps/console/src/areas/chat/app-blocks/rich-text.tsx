import type { ReactNode } from 'react';
import { usePreferences } from '../../../language/preferences-context.js';
import { formatInstant } from '../../../ui/data/formats.js';
import { asFields, objects, text } from '../blocks/metadata.js';
import type { Fields } from '../blocks/metadata.js';
import { useReadable } from '../conversations/use-readable.js';
import markdown from '../markdown/markdown.module.css';
import { useNames } from '../names.js';
import styles from './app-blocks.module.css';
import { uuidOf } from './slack-ids.js';

/** A block of type `rich_text`. */
export function RichText({ block }: { block: Fields }) {
  return (
    <div className={markdown.markdown}>
      {objects(block.elements).map((part, index) => (
        <Part key={index} part={part} />
      ))}
    </div>
  );
}

function Part({ part }: { part: Fields }) {
  const inline = <Inline parts={objects(part.elements)} />;
  switch (part.type) {
    case 'rich_text_list':
      return <List part={part} />;
    case 'rich_text_quote':
      return <blockquote className={styles.lines}>{inline}</blockquote>;
    case 'rich_text_preformatted':
      return (
        <pre tabIndex={0}>
          <code>{inline}</code>
        </pre>
      );
    default:
      return <p className={styles.lines}>{inline}</p>;
  }
}

/** A list. Slack has nested lists as further lists with a larger `indent`. */
function List({ part }: { part: Fields }) {
  const items = objects(part.elements).map((item, index) => (
    <li key={index} className={styles.lines}>
      <Inline parts={objects(item.elements)} />
    </li>
  ));
  const indent = Math.min(Number(part.indent) || 0, 8);
  return part.style === 'ordered' ? (
    <ol className={styles.list} data-indent={indent} start={(Number(part.offset) || 0) + 1}>
      {items}
    </ol>
  ) : (
    <ul className={styles.list} data-indent={indent}>
      {items}
    </ul>
  );
}

function Inline({ parts }: { parts: readonly Fields[] }) {
  return parts.map((part, index) => (
    <Styled key={index} style={asFields(part.style)}>
      <One part={part} />
    </Styled>
  ));
}

function Styled({ style, children }: { style: Fields; children: ReactNode }) {
  let shown = children;
  if (style.code === true) shown = <code>{shown}</code>;
  if (style.strike === true) shown = <s>{shown}</s>;
  if (style.underline === true) shown = <u>{shown}</u>;
  if (style.italic === true) shown = <em>{shown}</em>;
  if (style.bold === true) shown = <strong>{shown}</strong>;
  return shown;
}

function One({ part }: { part: Fields }): ReactNode {
  switch (part.type) {
    case 'link':
      return <Address address={text(part.url)} label={text(part.text) || text(part.url)} />;
    case 'user':
      return <Person id={text(part.user_id)} />;
    case 'channel':
      return <Channel id={text(part.channel_id)} />;
    case 'usergroup':
    case 'team':
      return '@…';
    case 'broadcast':
      return <span className={markdown.mention}>@{text(part.range)}</span>;
    case 'emoji':
      return emojiOf(part);
    case 'date':
      return <Moment part={part} />;
    case 'color':
      return <code>{text(part.value)}</code>;
    default:
      return text(part.text);
  }
}

/** A link, unless the address has an unusual scheme. */
export function Address({ address, label }: { address: string; label: string }) {
  if (!/^(?:https?|mailto|tel):/i.test(address)) return label;
  return (
    <a href={address} target="_blank" rel="noreferrer noopener">
      {label}
    </a>
  );
}

function Person({ id }: { id: string }) {
  const names = useNames();
  const uuid = uuidOf(id) ?? id;
  return (
    <span className={`${markdown.mention} ${uuid === names.ownId ? markdown.own : ''}`}>
      @{names.of(uuid)}
    </span>
  );
}

function Channel({ id }: { id: string }) {
  const found = useReadable().find((one) => one.id === uuidOf(id));
  return <span className={markdown.mention}>#{found?.name ?? '…'}</span>;
}

/** An emoji by its code points (`1f44b-1f3fb`), else by its name. */
function emojiOf(part: Fields): string {
  const points = text(part.unicode)
    .split('-')
    .map((point) => Number.parseInt(point, 16));
  const isKnown = points.every((point) => point > 0 && point <= 0x10_ff_ff);
  return isKnown ? String.fromCodePoint(...points) : `:${text(part.name)}:`;
}

function Moment({ part }: { part: Fields }) {
  const { language } = usePreferences();
  const at = new Date(Number(part.timestamp) * 1000);
  const shown = Number.isNaN(at.getTime()) ? text(part.fallback) : formatInstant(language, at.toISOString());
  return part.url === undefined ? shown : <Address address={text(part.url)} label={shown} />;
}
