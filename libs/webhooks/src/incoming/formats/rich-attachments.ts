import { withoutUndefined } from './fields.js';
import type { FieldReader } from './fields.js';
import { linkButton } from './link-buttons.js';
import type { LinkButton } from '../message/incoming-message.js';
import { readBlocks } from './rich-blocks.js';

const MAX_ATTACHMENTS = 100;
const MAX_ATTACHMENT_FIELDS = 100;
const MAX_ACTIONS = 25;
const COLOR_NAMES = new Set(['good', 'warning', 'danger']);

/** An attachment as message history returns it. */
export type RichAttachment = Record<string, unknown>;

/** Buttons and colors collected while reading attachments. */
export interface AttachmentExtras {
  buttons: LinkButton[];
  /** Colors of all attachments, including those with no visible content. */
  colors: string[];
}

/** Reads the attachments that have visible content. */
export function readAttachments(of: FieldReader, extras: AttachmentExtras): RichAttachment[] | undefined {
  const attachments = of
    .lenientObjects('attachments', MAX_ATTACHMENTS)
    .flatMap((attachment): RichAttachment[] => readAttachment(attachment, extras));
  return attachments.length > 0 ? attachments : undefined;
}

function readAttachment(of: FieldReader, { buttons, colors }: AttachmentExtras): RichAttachment[] {
  const color = readColor(of);
  if (color !== undefined) colors.push(color);
  const shown = withoutUndefined({
    title: of.text('title'),
    pretext: of.text('pretext'),
    text: of.text('text'),
    fallback: of.text('fallback'),
    fields: readFields(of),
    author_name: of.text('author_name'),
    footer: of.text('footer'),
    image_url: of.address('image_url'),
    thumb_url: of.address('thumb_url'),
    blocks: readBlocks(of, buttons),
  });
  const around = withoutUndefined({
    color,
    title_link: of.address('title_link'),
    author_icon: of.address('author_icon'),
    author_link: of.address('author_link'),
    footer_icon: of.address('footer_icon'),
    ts: of.number('ts', { asText: true }),
  });
  buttons.push(...of.objects('actions', MAX_ACTIONS).flatMap((action) => linkButton(action) ?? []));
  return Object.keys(shown).length > 0 ? [{ ...around, ...shown }] : [];
}

function readFields(of: FieldReader): object[] | undefined {
  const fields = of
    .objects('fields', MAX_ATTACHMENT_FIELDS)
    .map((field) =>
      withoutUndefined({
        title: field.text('title'),
        value: field.text('value'),
        short: field.flag('short'),
      }),
    )
    .filter(({ title, value }) => title !== undefined || value !== undefined);
  return fields.length > 0 ? fields : undefined;
}

/**
 * Returns a known color name or a hexadecimal color with `#`. Drops and notes any other: a wrong
 * color must not reject an alert.
 */
function readColor(of: FieldReader): string | undefined {
  const color = of.string('color')?.trim();
  if (color === undefined) return undefined;
  const name = color.toLowerCase();
  if (COLOR_NAMES.has(name)) return name;
  const hex = /^#?([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i.exec(color);
  if (!hex) of.note('color', 'dropped, not a color');
  return hex ? `#${hex[1]}` : undefined;
}
