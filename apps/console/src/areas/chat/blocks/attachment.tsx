import { Picture } from '../../../ui/media/picture.js';
import { Markdown } from '../markdown/markdown.js';
import { Blocks } from './blocks.js';
import styles from './blocks.module.css';
import { address, objects, text } from './metadata.js';
import type { Fields } from './metadata.js';

const NAMED: Readonly<Record<string, string>> = { good: 'good', warning: 'warning', danger: 'bad' };

/** An attachment of an alert: a colored stripe, title, text, fields and images. */
export function Attachment({ attachment, messageId }: { attachment: Fields; messageId: string }) {
  const color = text(attachment.color);
  const look = NAMED[color];
  const title = text(attachment.title);
  const link = address(attachment.title_link);
  const image = address(attachment.image_url);
  const thumb = address(attachment.thumb_url);
  const words = [text(attachment.pretext), text(attachment.text)] as const;
  const isBare = title === '' && words[1] === '' && objects(attachment.fields).length === 0;
  return (
    <div>
      {words[0] !== '' && <Markdown text={words[0]} />}
      <div
        className={`${styles.attachment} ${look ? styles[look] : ''}`}
        style={!look && /^#[0-9a-f]{3,8}$/i.test(color) ? { borderInlineStartColor: color } : undefined}
      >
        <div className={styles.attachmentText}>
          <Author attachment={attachment} />
          {title !== '' && (
            <strong>
              {link === '' ? (
                title
              ) : (
                <a href={link} target="_blank" rel="noreferrer noopener">
                  {title}
                </a>
              )}
            </strong>
          )}
          {words[1] !== '' && <Markdown text={words[1]} />}
          {isBare && image === '' && text(attachment.fallback) !== '' && (
            <Markdown text={text(attachment.fallback)} />
          )}
          <AttachmentFields fields={objects(attachment.fields)} />
          <Blocks blocks={objects(attachment.blocks)} messageId={messageId} room={undefined} />
          {image !== '' && <Picture className={styles.attachmentImage} src={image} alt={title} />}
          {text(attachment.footer) !== '' && <span className={styles.footer}>{text(attachment.footer)}</span>}
        </div>
        {thumb !== '' && <Picture className={styles.accessory} src={thumb} alt="" isSmall />}
      </div>
    </div>
  );
}

function Author({ attachment }: { attachment: Fields }) {
  const name = text(attachment.author_name);
  const icon = address(attachment.author_icon);
  if (name === '') return null;
  return (
    <span className={styles.footer}>
      {icon !== '' && <Picture className={styles.tiny} src={icon} alt="" isSmall />}
      {name}
    </span>
  );
}

function AttachmentFields({ fields }: { fields: readonly Fields[] }) {
  if (fields.length === 0) return null;
  return (
    <dl className={styles.fields}>
      {fields.map((field, index) => (
        <div key={index} data-long={field.short === false ? '' : undefined}>
          <dt>{text(field.title)}</dt>
          <dd>
            <Markdown text={text(field.value)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
