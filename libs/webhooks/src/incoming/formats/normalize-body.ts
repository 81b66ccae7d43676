import { parseJsonObject } from '@tieline/platform/http';
import { nativeFormatOf } from '../native/native-formats.js';
import { Payload } from '../native/payload.js';

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

/**
 * Normalizes deviations from the block-kit format: parses lists sent as JSON text, and moves the
 * fields of an attachment at the top level into `attachments`.
 */
export function normalizeBody(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const lists = ['attachments', 'blocks'].flatMap((name) => {
    const list = listIn((body as Fields)[name]);
    return list ? [[name, list]] : [];
  });
  return withAttachment({ ...body, ...Object.fromEntries(lists) });
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

function withAttachment(body: Fields): Fields {
  const payload = new Payload(body);
  const isAttachment =
    DISTINCTIVE_FIELDS.some((name) => payload.has(name)) || (payload.isText('text') && payload.has('color'));
  const hasContent = ['attachments', 'blocks', 'message'].some((name) => payload.has(name));
  if (!isAttachment || hasContent || (!payload.has('text') && nativeFormatOf(payload))) return body;
  // With a text, the title becomes its first line instead.
  const names = [...DISTINCTIVE_FIELDS, ...OTHER_FIELDS].filter(
    (name) => name !== 'title' || !payload.has('text'),
  );
  const attachment = Object.fromEntries(
    names.filter((name) => payload.has(name)).map((name) => [name, body[name]]),
  );
  return { ...body, attachments: [attachment] };
}
