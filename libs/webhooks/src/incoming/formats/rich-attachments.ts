import { present } from './fields.js';
import type { FieldReader } from './fields.js';
import { linkButton } from './link-buttons.js';
import type { LinkButton } from './link-buttons.js';
import { readBlocks } from './rich-blocks.js';

const MAX_ATTACHMENTS = 100;
const MAX_ATTACHMENT_FIELDS = 100;
const MAX_ACTIONS = 25;
const COLOR_NAMES = new Set(['good', 'warning', 'danger']);

/** An attachment as history answers it (contract, Rich message metadata). */
export type RichAttachment = Record<string, unknown>;

/** What attachments have besides what they show themselves. */
export interface Beside {
  buttons: LinkButton[];
  /** Of all of them, also of those that show nothing. */
  colors: string[];
}

/** The attachments that show something. */
export function readAttachments(of: FieldReader, beside: Beside): RichAttachment[] | undefined {
  const attachments = of
    .decorations('attachments', MAX_ATTACHMENTS)
    .flatMap((attachment): RichAttachment[] => readAttachment(attachment, beside));
  return attachments.length > 0 ? attachments : undefined;
}

function readAttachment(of: FieldReader, { buttons, colors }: Beside): RichAttachment[] {
  const color = readColor(of);
  if (color !== undefined) colors.push(color);
  const shown = present({
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
  const around = present({
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
      present({ title: field.text('title'), value: field.text('value'), short: field.flag('short') }),
    )
    .filter(({ title, value }) => title !== undefined || value !== undefined);
  return fields.length > 0 ? fields : undefined;
}

/**
 * A color name of the contract, or a hex color with `#`. Any other color is dropped; that is no
 * reason to lose an alert.
 */
function readColor(of: FieldReader): string | undefined {
  const color = of.string('color')?.trim();
  if (color === undefined) return undefined;
  const name = color.toLowerCase();
  if (COLOR_NAMES.has(name)) return name;
  const hex = /^#?([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i.exec(color);
  if (!hex) of.note('color', 'dropped, no color');
  return hex ? `#${hex[1]}` : undefined;
}
