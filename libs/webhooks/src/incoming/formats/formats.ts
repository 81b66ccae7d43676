import { mentionsChannel, mentionsHere } from '@tieline/conversations';
import { isBlankText, toOneLine } from '@tieline/platform/http';
import { severityOfColor } from '../message/color-severity.js';
import { derivedText } from './derived-text.js';
import { cut } from '../message/cut.js';
import { withoutUndefined } from './fields.js';
import type { FieldReader } from './fields.js';
import { flatButton } from './link-buttons.js';
import { cutText, literalText } from '../message/incoming-message.js';
import type { IncomingMessage, LinkButton } from '../message/incoming-message.js';
import type { Dialect } from '@tieline/markup';
import { convertMarkup } from '@tieline/markup';
import { readAttachments } from './rich-attachments.js';
import { readBlocks } from './rich-blocks.js';
import { fitToLimit } from '../message/rich-size.js';
import { severityOf, mostSevere } from '../message/severity.js';
import type { Severity } from '../message/severity.js';

const MAX_NAME = 64;
const MAX_KEY = 128;
const MAX_MENTIONS = 10_000;
const MAX_BUTTONS = 50;
const MAX_FILES = 50;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Information about a message in a documented format besides its body. */
export interface FormatOptions {
  /** Whether a color sets the severity. Defaults to true. */
  severityFromColor?: boolean;
  /** Markup dialect of the sender. Defaults to Slack's. */
  dialect?: Dialect;
}

/** Reads a message in block-kit style. */
export function readBlockKit(
  body: FieldReader,
  { severityFromColor = true, dialect = 'slack' }: FormatOptions,
): IncomingMessage {
  const extras = { buttons: [] as LinkButton[], colors: [] as string[] };
  const attachments = readAttachments(body, extras);
  const blocks = readBlocks(body, extras.buttons);
  const pretexts = (attachments ?? []).map(({ pretext }) =>
    typeof pretext === 'string' ? convertMarkup(pretext, dialect) : '',
  );
  const isMattermost = dialect === 'mattermost';
  return assemble([body], {
    ...sentText(body, dialect),
    deriveText: () => derivedText({ blocks, attachments }, dialect),
    alsoMentioning: pretexts,
    rich: {
      attachments,
      blocks,
      buttons: nonEmpty(extras.buttons),
      // Blocks and attachments are stored unconverted, so clients must know their markup.
      markup: isMattermost && (attachments ?? blocks) ? 'markdown' : undefined,
    },
    defaultSeverity: severityFromColor ? mostSevere(extras.colors.map(severityOfColor)) : undefined,
    displayName: nameOf(body, 'username') ?? (isMattermost ? nameOf(body.lenient(), 'alias') : undefined),
    avatarUrl:
      body.lenient().address('icon_url') ?? (isMattermost ? body.lenient().address('avatar') : undefined),
  });
}

/**
 * Returns the text as Markdown, preceded by its title. With `mrkdwn: false` the text is literal.
 */
function sentText(body: FieldReader, dialect: Dialect): Pick<Parts, 'text' | 'isLiteral'> {
  const words = body.words('text') ?? '';
  if (words === '') return { text: '' };
  const title = body.lenient().text('title');
  const whole = title === undefined ? words : `${title}\n${words}`;
  return body.value('mrkdwn') === false
    ? { text: whole, isLiteral: true }
    : { text: convertMarkup(whole, dialect) };
}

/** Reads a message in flat style. @param message the field `message` of the body */
export function readFlat(body: FieldReader, message: FieldReader): IncomingMessage {
  const buttons = message
    .lenientObjects('buttons', MAX_BUTTONS)
    .flatMap((button) => flatButton(button) ?? []);
  return assemble([body, message], {
    text: message.words('content') ?? '',
    alsoMentioning: [],
    rich: { buttons: nonEmpty(buttons), files: readFiles(message) },
  });
}

interface Parts {
  text: string;
  /** Whether the text is plain: no markup, no mentions. */
  isLiteral?: boolean;
  /** Derives the text of a message sent without one. */
  deriveText?: () => string;
  alsoMentioning: string[];
  rich: Record<string, unknown>;
  /** Severity if the sender gives none. */
  defaultSeverity?: Severity | undefined;
  displayName?: string | undefined;
  avatarUrl?: string | undefined;
}

/**
 * Builds the message.
 * @param sources objects that may contain `silent`, `severity`, `mentions` and the keys; the first
 * that has a field wins
 */
function assemble(
  sources: FieldReader[],
  {
    text: sent,
    isLiteral = false,
    deriveText,
    alsoMentioning,
    rich,
    defaultSeverity = 'warning',
    displayName,
    avatarUrl,
  }: Parts,
): IncomingMessage {
  const first = <T>(read: (from: FieldReader) => T | undefined): T | undefined =>
    sources.map(read).find((value) => value !== undefined);
  const { notes } = sources[0] as FieldReader;
  const word = first((from) => from.lenient().words('severity'));
  const resolved = first((from) => from.flag('resolved'));
  const severity = resolved === true ? 'info' : word === undefined ? undefined : severityOf(word);
  const metadata = fitToLimit(withoutUndefined({ ...rich, severity }), (what) =>
    notes.push(`metadata: ${what}`),
  );
  const whole = sent || (deriveText?.() ?? '');
  const mentioningTexts = [...(isLiteral ? [] : [whole]), ...alsoMentioning];
  return {
    // A derived text is cut without a note: the blocks and attachments it comes from are shown in
    // full.
    text: isLiteral ? literalText(whole, notes) : cutText(whole, sent === '' ? [] : notes),
    ...(sent === '' && whole !== '' && { textDerived: true }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...withoutUndefined({ displayName, avatarUrl, silent: first((from) => from.flag('silent')) }),
    ...withoutUndefined({
      threadKey: first((from) => from.key('thread_key', MAX_KEY)),
      dedupKey: first((from) => from.key('dedup_key', MAX_KEY)),
      resolved,
    }),
    severity: severity ?? defaultSeverity,
    mentions: readMentions(sources),
    mentionsChannel: mentioningTexts.some(mentionsChannel),
    mentionsHere: mentioningTexts.some(mentionsHere),
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
  return nonEmpty(
    message.lenientObjects('files', MAX_FILES).flatMap((file) => {
      const [name, url, size] = [file.text('name'), file.address('url'), file.number('size')];
      if (url === undefined) return [];
      return [{ name: name ?? url, url, ...(size !== undefined && size >= 0 && { size: Math.trunc(size) }) }];
    }),
  );
}

function nonEmpty<T>(list: T[]): T[] | undefined {
  return list.length > 0 ? list : undefined;
}
