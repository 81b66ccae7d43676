import { parseJsonObject } from '@tieline/platform/http';
import { Payload } from '../message/payload.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Attachment fields that some senders put at the top level. Any of these marks the body as a bare
 * attachment.
 */
const DISTINCTIVE_FIELDS = [
  'fallback',
  'pretext',
  'fields',
  'title_link',
  'image_url',
  'thumb_url',
  'author_name',
];
const OTHER_FIELDS = [
  'title',
  'color',
  'author_icon',
  'author_link',
  'footer',
  'footer_icon',
  'ts',
  'actions',
];

/** Parses attachments and blocks that were sent as JSON text. */
export function withParsedLists(body: unknown): unknown {
  if (!isObject(body)) return body;
  const lists = ['attachments', 'blocks'].flatMap((name) => {
    const list = listIn(body[name]);
    return list ? [[name, list]] : [];
  });
  return { ...body, ...Object.fromEntries(lists) };
}

function listIn(value: unknown): unknown[] | undefined {
  if (typeof value !== 'string' || !value.trimStart().startsWith('[')) return undefined;
  try {
    const { list } = parseJsonObject(`{"list":${value}}`);
    return Array.isArray(list) ? list : undefined;
  } catch {
    return undefined;
  }
}

/** Moves the fields of an attachment at the top level into `attachments`. */
export function withTopLevelAttachment(body: unknown): unknown {
  if (!isObject(body)) return body;
  const payload = new Payload(body);
  const isAttachment =
    DISTINCTIVE_FIELDS.some((name) => payload.has(name)) || (payload.isText('text') && payload.has('color'));
  const hasContent = ['attachments', 'blocks', 'message'].some((name) => payload.has(name));
  if (!isAttachment || hasContent) return body;
  // With a text, the title becomes its first line instead.
  const names = [...DISTINCTIVE_FIELDS, ...OTHER_FIELDS].filter(
    (name) => name !== 'title' || !payload.has('text'),
  );
  const attachment = Object.fromEntries(
    names.filter((name) => payload.has(name)).map((name) => [name, body[name]]),
  );
  return { ...body, attachments: [attachment] };
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
