import { withoutUndefined } from './fields.js';
import type { FieldReader } from './fields.js';
import { cut } from '../message/cut.js';
import { slackMarkup } from '@tieline/markup';
import type { Payload } from '../message/payload.js';
import { linkButton } from './link-buttons.js';
import type { LinkButton } from '../message/incoming-message.js';
import { richTextMarkup, tableMarkup, videoMarkup } from './rich-text.js';

const MAX_BLOCKS = 50;
const MAX_SECTION_FIELDS = 10;
const MAX_ELEMENTS = 10;

const MAX_CONVERTED_TEXT = 3000;
/** Converts Slack block types without an equivalent here to Slack markup. */
const CONVERTED_BLOCKS: ReadonlyMap<string, (block: Payload) => string> = new Map([
  ['rich_text', richTextMarkup],
  ['markdown', (block: Payload) => slackMarkup(block.raw('text'))],
  ['table', (block: Payload) => tableMarkup(block.lists('rows'))],
  ['video', videoMarkup],
]);

interface TextElement {
  type: 'plain_text' | 'mrkdwn';
  text: string;
}

interface ImageElement {
  type: 'image';
  image_url: string;
  alt_text?: string;
}

/** A block as message history returns it. */
export type RichBlock = { type: string } & Record<string, unknown>;

/**
 * Reads the blocks of a message or an attachment. Skips unknown, incomplete and unsafe ones.
 * Webhook messages are never interactive: link buttons go to `buttons`, other buttons are dropped.
 */
export function readBlocks(of: FieldReader, buttons: LinkButton[]): RichBlock[] | undefined {
  const blocks = of.lenientObjects('blocks', MAX_BLOCKS).flatMap((block) => readBlock(block, buttons) ?? []);
  return blocks.length > 0 ? blocks : undefined;
}

function readBlock(block: FieldReader, buttons: LinkButton[]): RichBlock | undefined {
  const type = block.string('type');
  if (type === 'header') return withText(type, block);
  if (type === 'section') return readSection(block, buttons);
  if (type === 'divider') return { type };
  if (type === 'context') return readContext(block);
  if (type === 'image') return readImageBlock(block);
  if (type === 'actions')
    buttons.push(...block.objects('elements', MAX_ELEMENTS).flatMap((element) => linkButton(element) ?? []));
  else if (type !== undefined && CONVERTED_BLOCKS.has(type)) return convertBlock(type, block);
  else block.noteSelf(`dropped, blocks of type ${type?.slice(0, 40) ?? '(none)'} are not shown`);
  return undefined;
}

/** Converts a block without an equivalent here to a section with its text. */
function convertBlock(type: string, block: FieldReader): RichBlock | undefined {
  const words = CONVERTED_BLOCKS.get(type)?.(block.payload).trim() ?? '';
  block.noteSelf(`${words === '' ? 'dropped' : 'shown as text'}, blocks of type ${type} are not shown`);
  if (words === '') return undefined;
  const text = cut(words, MAX_CONVERTED_TEXT, (length) =>
    block.noteSelf(`cut at ${MAX_CONVERTED_TEXT} of ${length} characters`),
  );
  return { type: 'section', text: { type: 'mrkdwn', text } };
}

function withText(type: string, block: FieldReader): RichBlock | undefined {
  const text = readText(block, 'text', 'plain_text');
  return text && { type, text };
}

function readSection(block: FieldReader, buttons: LinkButton[]): RichBlock | undefined {
  const accessory = block.object('accessory');
  const button = accessory && linkButton(accessory);
  if (button) buttons.push(button);
  const fields = block.objects('fields', MAX_SECTION_FIELDS).flatMap((field) => textElement(field) ?? []);
  const section = withoutUndefined({
    text: readText(block, 'text'),
    fields: fields.length > 0 ? fields : undefined,
    accessory: accessory?.value('type') === 'image' ? readImage(accessory) : undefined,
  });
  return Object.keys(section).length > 0 ? { type: 'section', ...section } : undefined;
}

function readContext(block: FieldReader): RichBlock | undefined {
  const elements = block
    .objects('elements', MAX_ELEMENTS)
    .flatMap((element) => contextElement(element) ?? []);
  return elements.length > 0 ? { type: 'context', elements } : undefined;
}

/** Reads a text or an image. Other elements of a context block are skipped. */
function contextElement(element: FieldReader): TextElement | ImageElement | undefined {
  if (element.value('type') === 'image') return readImage(element);
  return typeof element.value('text') === 'object' ? undefined : textElement(element);
}

function readImage(element: FieldReader): ImageElement | undefined {
  const address = element.address('image_url');
  return address === undefined
    ? undefined
    : { type: 'image', image_url: address, ...withoutUndefined({ alt_text: element.text('alt_text') }) };
}

function readImageBlock(block: FieldReader): RichBlock | undefined {
  const image = readImage(block);
  return image && { ...image, ...withoutUndefined({ title: readTitle(block) }) };
}

/** Reads an image's title, which may be a text element or a plain string. */
function readTitle(block: FieldReader): TextElement | undefined {
  if (typeof block.value('title') === 'object') return readText(block, 'title', 'plain_text');
  const text = block.text('title');
  return text === undefined ? undefined : { type: 'plain_text', text };
}

function readText(of: FieldReader, name: string, type?: TextElement['type']): TextElement | undefined {
  const element = of.object(name);
  return element && textElement(element, type);
}

function textElement(element: FieldReader, only?: TextElement['type']): TextElement | undefined {
  const text = element.text('text');
  if (text === undefined) return undefined;
  return { type: only ?? (element.value('type') === 'mrkdwn' ? 'mrkdwn' : 'plain_text'), text };
}
