import { mentionsChannel, mentionsHere } from '@tieline/conversations';
import { cut, FieldReader, present, WrongField } from './fields.js';
import { flatButton } from './link-buttons.js';
import type { LinkButton } from './link-buttons.js';
import { convertMarkup } from '../markup/markup.js';
import { readAttachments } from './rich-attachments.js';
import { readBlocks } from './rich-blocks.js';
import { fitting } from './rich-size.js';
import { severityOf } from './severity.js';
import type { Severity } from './severity.js';

/** Longest text of a message, in characters (contract, Limits). */
const MAX_TEXT = 4000;
const MAX_NAME = 64;
const MAX_MENTIONS = 10_000;
const MAX_BUTTONS = 50;
const MAX_FILES = 50;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What a sender wants shown, in the chat's own terms. */
export interface IncomingMessage {
  /** Markdown, up to 4000 characters; empty when only rich parts are shown. */
  text: string;
  /** Attachments, blocks, buttons, files and severity as history answers them; absent when there are none. */
  metadata?: object;
  displayName?: string;
  avatarUrl?: string;
  silent?: boolean;
  /** `warning` by default. */
  severity: Severity;
  /** Distinct uuids in lower case; whether they are people of the conversation is not known here. */
  mentions: string[];
  mentionsChannel: boolean;
  mentionsHere: boolean;
  /** What was cut or dropped, for the request log. */
  notes: string[];
}

export type ParsedIncoming =
  { readonly ok: true; readonly message: IncomingMessage } | { readonly ok: false; readonly reason: string };

/**
 * Reads the body of an incoming webhook in either format (contract, Incoming webhook payload; decisions, section 9). The block-kit
 * style wins where both are there. Never throws; `reason` is for the request log only.
 */
export function parseIncoming(body: unknown): ParsedIncoming {
  try {
    return parse(FieldReader.of(body, '', []));
  } catch (error) {
    if (error instanceof WrongField) return { ok: false, reason: error.message };
    throw error;
  }
}

function parse(body: FieldReader): ParsedIncoming {
  const blockKit = body.has('text') || body.has('attachments') || body.has('blocks');
  const message = blockKit ? readBlockKit(body) : readFlat(body);
  if (!message)
    return {
      ok: false,
      reason: 'unknown format: neither text, attachments, blocks nor message.content, message.entity_type',
    };
  const { severity: _severity, ...visible } = (message.metadata ?? {}) as Record<string, unknown>;
  if (message.text === '' && Object.keys(visible).length === 0)
    return { ok: false, reason: 'nothing to show' };
  return { ok: true, message };
}

function readBlockKit(body: FieldReader): IncomingMessage {
  const buttons: LinkButton[] = [];
  const attachments = readAttachments(body, buttons);
  const blocks = readBlocks(body, buttons);
  const pretexts = (attachments ?? []).map(({ pretext }) =>
    typeof pretext === 'string' ? convertMarkup(pretext) : '',
  );
  return assemble([body], {
    text: convertMarkup(body.words('text') ?? ''),
    alsoMentioning: pretexts,
    rich: { attachments, blocks, buttons: some(buttons) },
    displayName: nameOf(body),
    avatarUrl: body.address('icon_url'),
  });
}

function readFlat(body: FieldReader): IncomingMessage | undefined {
  const message = body.object('message');
  if (!message || !(message.has('content') || message.has('entity_type'))) return undefined;
  const buttons = message.objects('buttons', MAX_BUTTONS).flatMap((button) => flatButton(button) ?? []);
  return assemble([body, message], {
    text: message.words('content') ?? '',
    alsoMentioning: [],
    rich: { buttons: some(buttons), files: readFiles(message) },
  });
}

interface Parts {
  text: string;
  alsoMentioning: string[];
  rich: Record<string, unknown>;
  displayName?: string | undefined;
  avatarUrl?: string | undefined;
}

/** @param sources where `silent`, `severity` and `mentions` may stand; the first that has one counts */
function assemble(
  sources: FieldReader[],
  { text: whole, alsoMentioning, rich, displayName, avatarUrl }: Parts,
): IncomingMessage {
  const first = <T>(read: (from: FieldReader) => T | undefined): T | undefined =>
    sources.map(read).find((value) => value !== undefined);
  const { notes } = sources[0] as FieldReader;
  const word = first((from) => from.words('severity'));
  const severity = word === undefined ? undefined : severityOf(word);
  const metadata = fitting(present({ ...rich, severity }), (what) => notes.push(`metadata: ${what}`));
  const said = [whole, ...alsoMentioning];
  return {
    text: cut(whole, MAX_TEXT, (length) => notes.push(`text: cut at ${MAX_TEXT} of ${length} characters`)),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...present({ displayName, avatarUrl, silent: first((from) => from.flag('silent')) }),
    severity: severity ?? 'warning',
    mentions: readMentions(sources),
    mentionsChannel: said.some(mentionsChannel),
    mentionsHere: said.some(mentionsHere),
    notes,
  };
}

function readMentions(sources: FieldReader[]): string[] {
  const ids = sources.map(mentionsOf).find((list) => list.length > 0) ?? [];
  return [...new Set(ids.filter((id) => UUID.test(id)))];
}

function mentionsOf(source: FieldReader): string[] {
  return source.list('mentions', MAX_MENTIONS).flatMap((id) => {
    if (id === null) return [];
    if (typeof id !== 'string') throw source.wrong('mentions', 'an array of strings');
    return id.trim().toLowerCase();
  });
}

function nameOf(body: FieldReader): string | undefined {
  const name = body.words('username')?.trim();
  return name === undefined
    ? undefined
    : cut(name, MAX_NAME, (length) => body.note('username', `cut at ${MAX_NAME} of ${length} characters`));
}

function readFiles(message: FieldReader): object[] | undefined {
  return some(
    message.objects('files', MAX_FILES).flatMap((file) => {
      const [name, url, size] = [file.text('name'), file.address('url'), file.number('size')];
      if (url === undefined) return [];
      return [{ name: name ?? url, url, ...(size !== undefined && size >= 0 && { size: Math.trunc(size) }) }];
    }),
  );
}

function some<T>(list: T[]): T[] | undefined {
  return list.length > 0 ? list : undefined;
}
