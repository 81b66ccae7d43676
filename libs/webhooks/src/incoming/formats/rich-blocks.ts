import { present } from './fields.js';
import type { FieldReader } from './fields.js';
import { cut } from './cut.js';
import { slackMarkup } from '@tieline/markup';
import type { Payload } from '../native/payload.js';
import { linkButton } from './link-buttons.js';
import type { LinkButton } from './link-buttons.js';
import { richTextMarkup, tableMarkup, videoMarkup } from './rich-text.js';

const MAX_BLOCKS = 50;
const MAX_SECTION_FIELDS = 10;
const MAX_ELEMENTS = 10;

const MAX_FOREIGN_TEXT = 3000;
/** Slack's markup of the words in blocks that this chat doesn't have. */
const FOREIGN: ReadonlyMap<string, (block: Payload) => string> = new Map([
  ['rich_text', richTextMarkup],
  ['markdown', (block: Payload) => slackMarkup(block.raw('text'))],
  ['table', (block: Payload) => tableMarkup(block.lists('rows'))],
  ['video', videoMarkup],
]);

export interface TextElement {
  type: 'plain_text' | 'mrkdwn';
  text: string;
}

export interface ImageElement {
  type: 'image';
  image_url: string;
  alt_text?: string;
}

/** A block as history answers it (contract, Rich message metadata). */
export type RichBlock = { type: string } & Record<string, unknown>;

/**
 * The blocks of a message or an attachment, without unknown, incomplete or unsafe ones. Webhook
 * messages are never interactive: link buttons go to `buttons`, other buttons are dropped.
 */
export function readBlocks(of: FieldReader, buttons: LinkButton[]): RichBlock[] | undefined {
  const blocks = of.decorations('blocks', MAX_BLOCKS).flatMap((block) => readBlock(block, buttons) ?? []);
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
  else if (type !== undefined && FOREIGN.has(type)) return readForeign(type, block);
  else block.noteSelf(`dropped, blocks of type ${type?.slice(0, 40) ?? '(none)'} are not shown`);
  return undefined;
}

/** Blocks that this chat doesn't have are shown as a section of their words. */
function readForeign(type: string, block: FieldReader): RichBlock | undefined {
  const words = FOREIGN.get(type)?.(block.payload).trim() ?? '';
  block.noteSelf(`${words === '' ? 'dropped' : 'shown as text'}, blocks of type ${type} are not shown`);
  if (words === '') return undefined;
  const text = cut(words, MAX_FOREIGN_TEXT, (length) =>
    block.noteSelf(`cut at ${MAX_FOREIGN_TEXT} of ${length} characters`),
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
  const section = present({
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

/** Context shows texts and images; anything else in it is skipped. */
function contextElement(element: FieldReader): TextElement | ImageElement | undefined {
  if (element.value('type') === 'image') return readImage(element);
  return typeof element.value('text') === 'object' ? undefined : textElement(element);
}

function readImage(element: FieldReader): ImageElement | undefined {
  const address = element.address('image_url');
  return address === undefined
    ? undefined
    : { type: 'image', image_url: address, ...present({ alt_text: element.text('alt_text') }) };
}

function readImageBlock(block: FieldReader): RichBlock | undefined {
  const image = readImage(block);
  return image && { ...image, ...present({ title: readTitle(block) }) };
}

/**
 * The contract does not say what an image's title is: a text element, as everywhere else, or a
 * plain string.
 */
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
