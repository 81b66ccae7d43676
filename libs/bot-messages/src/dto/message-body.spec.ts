import { parseMessageText, parseNewMessage, parseSlashReply } from './message-body.js';

const CONVERSATION = '01939D3E-7F0C-7AAA-9C1D-2F6A5B1C0D11';
const ROOT = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d12';
const FILE = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d13';
const valid = { conversation_id: CONVERSATION, content: 'hello' };
const blocks = (count: number, type: string): object[] => Array.from({ length: count }, () => ({ type }));
const metadata = (value: object): string => JSON.stringify(value);
/** Returns JSON of exactly this many bytes, in two-byte characters except for the frame. */
const metadataOf = (bytes: number): string =>
  `{"a":"${'é'.repeat(Math.floor((bytes - 8) / 2))}${bytes % 2 === 0 ? '' : 'x'}"}`;

function refusal(parse: () => unknown): { status?: number; text?: string } {
  try {
    parse();
  } catch (error) {
    return error as { status: number; text: string };
  }
  return {};
}

describe('parseNewMessage', () => {
  test('parses every field', () => {
    const body = {
      ...valid,
      display_name: 'Deployer',
      display_avatar_url: 'HTTPS://example.com/a.png',
      parent_message_id: ROOT.toUpperCase(),
      metadata_json: '{ "version": 1 }',
      attachments: [{ file_id: FILE.toUpperCase() }],
    };
    expect(parseNewMessage(body)).toEqual({
      conversationId: CONVERSATION.toLowerCase(),
      content: 'hello',
      displayName: 'Deployer',
      displayAvatarUrl: 'HTTPS://example.com/a.png',
      parentMessageId: ROOT,
      metadata: { json: '{ "version": 1 }', value: { version: 1 }, isInteractive: false },
      fileIds: [FILE],
    });
  });

  test.each([
    ['null', null],
    ['missing', undefined],
    ['the empty string', ''],
  ])('an optional field that is %s counts as absent', (_, value) => {
    const body = {
      ...valid,
      display_name: value,
      display_avatar_url: value,
      parent_message_id: value,
      thread_id: value,
      metadata_json: value,
    };
    const { displayName, displayAvatarUrl, parentMessageId, metadata: parsed } = parseNewMessage(body);
    expect([displayName, displayAvatarUrl, parentMessageId, parsed]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  test.each([
    ['no conversation', { content: 'x' }, 'conversation_id is required'],
    ['a conversation of null', { ...valid, conversation_id: null }, 'conversation_id is required'],
    ['an empty conversation', { ...valid, conversation_id: '' }, 'conversation_id is required'],
    ['a malformed conversation', { ...valid, conversation_id: 'general' }, 'conversation_id must be a uuid'],
    ['a numeric conversation', { ...valid, conversation_id: 7 }, 'conversation_id must be a uuid'],
    ['nothing but a conversation', { conversation_id: CONVERSATION }, 'content or attachments required'],
    [
      'text in place of content',
      { conversation_id: CONVERSATION, text: 'hello' },
      'content or attachments required',
    ],
    ['white space', { ...valid, content: ' \n\t\u00a0\u2003' }, 'content or attachments required'],
    [
      'white space beyond the limit',
      { ...valid, content: ' '.repeat(4001) },
      'content or attachments required',
    ],
    [
      'no content and no files',
      { conversation_id: CONVERSATION, attachments: [] },
      'content or attachments required',
    ],
    ['content that is a number', { ...valid, content: 5 }, 'content must be a string'],
    ['4001 characters', { ...valid, content: '😀'.repeat(4001) }, 'content too long (max 4000 chars)'],
    [
      'a name of 65 characters',
      { ...valid, display_name: 'x'.repeat(65) },
      'display_name must be a text of 1 to 64 characters',
    ],
    ['a name that is an object', { ...valid, display_name: {} }, 'display_name must be a string'],
    [
      'an avatar over http',
      { ...valid, display_avatar_url: 'http://example.com/a.png' },
      'display_avatar_url must be an HTTPS URL',
    ],
    [
      'an avatar that is not a URL',
      { ...valid, display_avatar_url: 'https://' },
      'display_avatar_url must be an HTTPS URL',
    ],
    [
      'an avatar that is a number',
      { ...valid, display_avatar_url: 1 },
      'display_avatar_url must be a string',
    ],
    ['a malformed parent', { ...valid, parent_message_id: 'm' }, 'parent_message_id must be a uuid'],
    ['a malformed thread', { ...valid, thread_id: 'm' }, 'thread_id must be a uuid'],
    ['metadata as an object', { ...valid, metadata_json: { version: 1 } }, 'metadata_json must be a string'],
    [
      'metadata that is not JSON',
      { ...valid, metadata_json: '{' },
      'metadata_json must be the JSON text of an object',
    ],
    [
      'metadata that is a list',
      { ...valid, metadata_json: '[]' },
      'metadata_json must be the JSON text of an object',
    ],
    [
      'metadata that is null',
      { ...valid, metadata_json: 'null' },
      'metadata_json must be the JSON text of an object',
    ],
    [
      'metadata with a NUL',
      { ...valid, metadata_json: '{"a":"\\u0000"}' },
      'metadata_json must be the JSON text of an object',
    ],
    [
      'metadata of 32 KiB and a byte',
      { ...valid, metadata_json: metadataOf(32_769) },
      'metadata_json too large (max 32 KiB)',
    ],
    [
      'blocks that are not a list',
      { ...valid, metadata_json: metadata({ blocks: {} }) },
      'blocks: must be a list',
    ],
    [
      '51 blocks',
      { ...valid, metadata_json: metadata({ blocks: blocks(51, 'divider') }) },
      'blocks: at most 50',
    ],
    [
      '6 interactive blocks',
      { ...valid, metadata_json: metadata({ blocks: blocks(6, 'actions') }) },
      'blocks: at most 5 of type actions',
    ],
    [
      'files that are not a list',
      { ...valid, attachments: { file_id: FILE } },
      'attachments must be a list of objects with file_id',
    ],
    [
      'a file without an id',
      { ...valid, attachments: [{}] },
      'attachments must be a list of objects with file_id',
    ],
    [
      'a file that is null',
      { ...valid, attachments: [null] },
      'attachments must be a list of objects with file_id',
    ],
    [
      'a malformed file',
      { ...valid, attachments: [{ file_id: 'f' }] },
      'attachments must be a list of objects with file_id',
    ],
    [
      'a file twice',
      { ...valid, attachments: [{ file_id: FILE }, { file_id: FILE.toUpperCase() }] },
      'a file is attached twice',
    ],
    [
      '16 files',
      { ...valid, attachments: Array.from({ length: 16 }, () => ({ file_id: FILE })) },
      'too many attachments (max 15)',
    ],
  ])('%s gets 400', (_, body, text) => {
    expect(refusal(() => parseNewMessage(body))).toMatchObject({ status: 400, text });
  });

  test('a request without a body gets 400 invalid JSON', () => {
    expect(refusal(() => parseNewMessage(undefined))).toMatchObject({ status: 400, text: 'invalid JSON' });
  });

  test('limits are inclusive and count code points, for metadata UTF-8 bytes', () => {
    const body = {
      ...valid,
      content: '😀'.repeat(4000),
      display_name: '😀'.repeat(64),
      metadata_json: metadataOf(32_768),
    };
    expect(Buffer.byteLength(body.metadata_json)).toBe(32_768);
    expect(parseNewMessage(body)).toMatchObject({
      content: body.content,
      displayName: body.display_name,
      metadata: { json: body.metadata_json },
    });
    const actions = blocks(5, 'actions').map((block) => ({ ...block, elements: [] }));
    const rich = metadata({ version: 1, blocks: [...blocks(45, 'divider'), ...actions] });
    expect(parseNewMessage({ ...valid, metadata_json: rich }).metadata?.isInteractive).toBe(true);
  });

  test('checks run in the documented order', () => {
    expect(refusal(() => parseNewMessage({ content: 'x'.repeat(4001) })).text).toBe(
      'conversation_id is required',
    );
    expect(refusal(() => parseNewMessage({ ...valid, content: '', metadata_json: {} })).text).toBe(
      'content or attachments required',
    );
    expect(
      refusal(() => parseNewMessage({ ...valid, content: 'x'.repeat(4001), metadata_json: {} })).text,
    ).toBe('content too long (max 4000 chars)');
  });

  test('parent_message_id wins over its alias', () => {
    expect(parseNewMessage({ ...valid, thread_id: ROOT }).parentMessageId).toBe(ROOT);
    expect(parseNewMessage({ ...valid, parent_message_id: ROOT, thread_id: FILE }).parentMessageId).toBe(
      ROOT,
    );
    expect(
      parseNewMessage({ ...valid, parent_message_id: ROOT, thread_id: 'malformed' }).parentMessageId,
    ).toBe(ROOT);
  });

  test('content keeps its surrounding white space, and is empty for a message of files only', () => {
    expect(parseNewMessage({ ...valid, content: '  code\n' }).content).toBe('  code\n');
    expect(parseNewMessage({ ...valid, content: ' \n', attachments: [{ file_id: FILE }] }).content).toBe('');
  });

  test('unknown and malformed blocks are counted but not validated', () => {
    const value = { blocks: [null, 'x', 5, { type: 'hologram' }] };
    expect(parseNewMessage({ ...valid, metadata_json: metadata(value) }).metadata).toEqual({
      json: metadata(value),
      value,
      isInteractive: false,
    });
  });
});

describe('parseMessageText', () => {
  test('requires content', () => {
    for (const content of [undefined, null, '', ' \n']) {
      expect(refusal(() => parseMessageText({ content }))).toMatchObject({
        status: 400,
        text: 'content is required',
      });
    }
    expect(refusal(() => parseMessageText({ content: 'x'.repeat(4001) })).text).toBe(
      'content too long (max 4000 chars)',
    );
  });

  test('uses only content and metadata', () => {
    expect(parseMessageText({ ...valid, display_name: 'x', attachments: [{ file_id: FILE }] })).toEqual({
      content: 'hello',
      metadata: undefined,
    });
  });
});

describe('parseSlashReply', () => {
  test('uses only content and metadata, and refuses files', () => {
    expect(parseSlashReply({ ...valid, metadata_json: '{}', thread_id: 'ignored' })).toEqual({
      content: 'hello',
      metadata: { json: '{}', value: {}, isInteractive: false },
    });
    expect(refusal(() => parseSlashReply({ ...valid, attachments: [{ file_id: FILE }] })).text).toBe(
      'attachments are not supported with a trigger',
    );
    expect(refusal(() => parseSlashReply({ conversation_id: CONVERSATION })).text).toBe(
      'content is required',
    );
  });
});
