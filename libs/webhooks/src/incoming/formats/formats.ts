import { mentionsChannel, mentionsHere } from '@tieline/conversations';
import { isBlankText, toOneLine } from '@tieline/platform/http';
import { severityOfColor } from './color-severity.js';
import { derivedText } from './derived-text.js';
import { cut } from './cut.js';
import { FieldReader, present, WrongField } from './fields.js';
import { flatButton } from './link-buttons.js';
import type { LinkButton } from './link-buttons.js';
import { cutText, isVisible, literalText, NOTHING_TO_SHOW } from './incoming-message.js';
import type { IncomingMessage, ParsedIncoming } from './incoming-message.js';
import type { Dialect } from '@tieline/markup';
import { convertMarkup } from '@tieline/markup';
import { isApprise } from '../native/apprise.js';
import type { NativeHints } from '../native/native-format.js';
import { isTeamsCard } from '../native/native-formats.js';
import { readNative } from '../native/read-native.js';
import { readAttachments } from './rich-attachments.js';
import { readBlocks } from './rich-blocks.js';
import { fitting } from './rich-size.js';
import { strictBody } from './loose-body.js';
import { severityOf, worstOf } from './severity.js';
import type { Severity } from './severity.js';

const MAX_NAME = 64;
const MAX_KEY = 128;
const MAX_MENTIONS = 10_000;
const MAX_BUTTONS = 50;
const MAX_FILES = 50;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What is known of a message besides its body. */
export interface ReadingOptions extends NativeHints {
  /** Keys in the address; they win over those of the body. */
  keys?: { threadKey?: string; dedupKey?: string };
  /** How the sender writes texts; Slack's way is the default. */
  dialect?: Dialect;
}

/**
 * Reads the body of an incoming webhook in either format of the contract (Incoming webhook payload;
 * decisions, section 9), or in one that a known program sends of its own accord (section 11.2). The
 * block-kit style wins where both are there. Never throws; `reason` is for the request log only.
 */
export function parseIncoming(body: unknown, options: ReadingOptions = {}): ParsedIncoming {
  try {
    const strict = strictBody(body);
    return parse(FieldReader.of(strict, '', []), strict, options);
  } catch (error) {
    if (error instanceof WrongField) return { ok: false, reason: error.message };
    throw error;
  }
}

function parse(body: FieldReader, raw: unknown, options: ReadingOptions): ParsedIncoming {
  if (isTeamsCard(raw)) return readNative(raw, options);
  const read = isBlockKit(body, raw, options) ? readBlockKit(body, options) : readFlat(body, options);
  if (!read) return readNative(raw, options);
  const message = { ...read, ...options.keys };
  return isVisible(message) || endsAlert(message) ? { ok: true, message } : NOTHING_TO_SHOW;
}

/** That an alert is over needs no words: its message has some. */
function endsAlert({ dedupKey, resolved }: IncomingMessage): boolean {
  return dedupKey !== undefined && resolved === true;
}

/** Ends an alert without words: that it is resolved is all that it says. */
function isBareResolve(body: FieldReader, { keys }: ReadingOptions): boolean {
  return (body.has('dedup_key') || keys?.dedupKey !== undefined) && body.value('resolved') === true;
}

/** Apprise has a list of attachments too, which are files. */
function isBlockKit(body: FieldReader, raw: unknown, options: ReadingOptions): boolean {
  if (body.has('text') || body.has('blocks')) return true;
  if (isBareResolve(body, options) && !body.has('message')) return true;
  return body.has('attachments') && !isApprise(raw);
}

function readBlockKit(
  body: FieldReader,
  { severityFromColor = true, dialect = 'slack' }: ReadingOptions,
): IncomingMessage {
  const beside = { buttons: [] as LinkButton[], colors: [] as string[] };
  const attachments = readAttachments(body, beside);
  const blocks = readBlocks(body, beside.buttons);
  const pretexts = (attachments ?? []).map(({ pretext }) =>
    typeof pretext === 'string' ? convertMarkup(pretext, dialect) : '',
  );
  const isMattermost = dialect === 'mattermost';
  return assemble([body], {
    ...sentText(body, dialect),
    ofParts: () => derivedText({ blocks, attachments }, dialect),
    alsoMentioning: pretexts,
    rich: {
      attachments,
      blocks,
      buttons: some(beside.buttons),
      // Parts are stored as they came: clients have to know in which markup.
      markup: isMattermost && (attachments ?? blocks) ? 'markdown' : undefined,
    },
    otherwise: severityFromColor ? worstOf(beside.colors.map(severityOfColor)) : undefined,
    displayName: nameOf(body, 'username') ?? (isMattermost ? nameOf(body.decorating(), 'alias') : undefined),
    avatarUrl:
      body.decorating().address('icon_url') ??
      (isMattermost ? body.decorating().address('avatar') : undefined),
  });
}

/** The text as Markdown, below its title. With `mrkdwn: false` it is literal. */
function sentText(body: FieldReader, dialect: Dialect): Pick<Parts, 'text' | 'isLiteral'> {
  const words = body.words('text') ?? '';
  if (words === '') return { text: '' };
  const title = body.decorating().text('title');
  const whole = title === undefined ? words : `${title}\n${words}`;
  return body.value('mrkdwn') === false
    ? { text: whole, isLiteral: true }
    : { text: convertMarkup(whole, dialect) };
}

function readFlat(body: FieldReader, options: ReadingOptions): IncomingMessage | undefined {
  const message = typeof body.value('message') === 'object' ? body.object('message') : undefined;
  if (!message || !(message.has('content') || message.has('entity_type') || isBareResolve(message, options)))
    return undefined;
  const buttons = message.decorations('buttons', MAX_BUTTONS).flatMap((button) => flatButton(button) ?? []);
  return assemble([body, message], {
    text: message.words('content') ?? '',
    alsoMentioning: [],
    rich: { buttons: some(buttons), files: readFiles(message) },
  });
}

interface Parts {
  text: string;
  /** Whether the text is no markup and mentions nobody. */
  isLiteral?: boolean;
  /** The text of a message that was sent without one. */
  ofParts?: () => string;
  alsoMentioning: string[];
  rich: Record<string, unknown>;
  /** The severity where none is sent. */
  otherwise?: Severity | undefined;
  displayName?: string | undefined;
  avatarUrl?: string | undefined;
}

/**
 * @param sources where `silent`, `severity`, `mentions` and the keys may stand; the first that has
 * one counts
 */
function assemble(
  sources: FieldReader[],
  {
    text: sent,
    isLiteral = false,
    ofParts,
    alsoMentioning,
    rich,
    otherwise = 'warning',
    displayName,
    avatarUrl,
  }: Parts,
): IncomingMessage {
  const first = <T>(read: (from: FieldReader) => T | undefined): T | undefined =>
    sources.map(read).find((value) => value !== undefined);
  const { notes } = sources[0] as FieldReader;
  const word = first((from) => from.decorating().words('severity'));
  const resolved = first((from) => from.flag('resolved'));
  const severity = resolved === true ? 'info' : word === undefined ? undefined : severityOf(word);
  const metadata = fitting(present({ ...rich, severity }), (what) => notes.push(`metadata: ${what}`));
  const whole = sent || (ofParts?.() ?? '');
  const said = [...(isLiteral ? [] : [whole]), ...alsoMentioning];
  return {
    // What it was made of is shown all the same.
    text: isLiteral ? literalText(whole, notes) : cutText(whole, sent === '' ? [] : notes),
    ...(sent === '' && whole !== '' && { textDerived: true }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...present({ displayName, avatarUrl, silent: first((from) => from.flag('silent')) }),
    ...present({
      threadKey: first((from) => from.key('thread_key', MAX_KEY)),
      dedupKey: first((from) => from.key('dedup_key', MAX_KEY)),
      resolved,
    }),
    severity: severity ?? otherwise,
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

function nameOf(body: FieldReader, field: 'username' | 'alias'): string | undefined {
  const name = toOneLine(body.words(field) ?? '').trim();
  return isBlankText(name)
    ? undefined
    : cut(name, MAX_NAME, (length) => body.note(field, `cut at ${MAX_NAME} of ${length} characters`));
}

function readFiles(message: FieldReader): object[] | undefined {
  return some(
    message.decorations('files', MAX_FILES).flatMap((file) => {
      const [name, url, size] = [file.text('name'), file.address('url'), file.number('size')];
      if (url === undefined) return [];
      return [{ name: name ?? url, url, ...(size !== undefined && size >= 0 && { size: Math.trunc(size) }) }];
    }),
  );
}

function some<T>(list: T[]): T[] | undefined {
  return list.length > 0 ? list : undefined;
}
