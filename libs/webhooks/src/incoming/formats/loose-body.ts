import { parseJsonObject } from '@tieline/platform/http';
import { nativeFormatOf } from '../native/native-formats.js';
import { Payload } from '../native/payload.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Fields of an attachment that some senders put at the top; one of the first tells that it is one.
 */
const TELLING = ['fallback', 'pretext', 'fields', 'title_link', 'image_url', 'thumb_url', 'author_name'];
const OTHERS = ['title', 'color', 'author_icon', 'author_link', 'footer', 'footer_icon', 'ts', 'actions'];

/**
 * Undoes what senders do to the block-kit style: lists that are JSON text, and the fields of one
 * attachment at the top.
 */
export function strictBody(body: unknown): unknown {
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
  const isTold =
    TELLING.some((name) => payload.has(name)) || (payload.isText('text') && payload.has('color'));
  const isOther = ['attachments', 'blocks', 'message'].some((name) => payload.has(name));
  if (!isTold || isOther || (!payload.has('text') && nativeFormatOf(payload))) return body;
  // A title beside a text is its first line.
  const names = [...TELLING, ...OTHERS].filter((name) => name !== 'title' || !payload.has('text'));
  const attachment = Object.fromEntries(
    names.filter((name) => payload.has(name)).map((name) => [name, body[name]]),
  );
  return { ...body, attachments: [attachment] };
}
