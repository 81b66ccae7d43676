import { RequestValidationPipe } from '@tieline/platform/http';
import { CreateAgentRunDto, newRun } from './create-agent-run.dto.js';
import { runUpdate, UpdateAgentRunDto } from './update-agent-run.dto.js';

const A = '0198F3A2-7c1b-7000-8000-00000000ffff';
const B = '0198f3a2-7c1b-7000-8000-00000000fffe';
const FILES = 'attachments must be a list of objects with file_id';

const pipe = new RequestValidationPipe();

async function created(body: object): Promise<unknown> {
  return newRun((await pipe.transform(body, { type: 'body', metatype: CreateAgentRunDto })) as never, 'k');
}
async function updated(body: object): Promise<unknown> {
  const dto = await pipe.transform(body, { type: 'body', metatype: UpdateAgentRunDto });
  return runUpdate(dto as UpdateAgentRunDto, JSON.stringify(body));
}

test.each<[object, string]>([
  [{ trigger_message_id: 'x', content: 5 }, 'conversation_id is required'],
  [{ conversation_id: 5, content: 5 }, 'conversation_id must be a uuid'],
  [{ conversation_id: A, trigger_message_id: '', widget_id: 'x' }, 'trigger_message_id is required'],
  [{ conversation_id: A, trigger_message_id: 'x' }, 'trigger_message_id must be a uuid'],
  [{ conversation_id: A, trigger_message_id: B, widget_id: 'x', thread_id: 'x' }, 'widget_id must be a uuid'],
  [{ conversation_id: A, trigger_message_id: B, parent_message_id: 0 }, 'parent_message_id must be a uuid'],
  [{ conversation_id: A, trigger_message_id: B, thread_id: 0, content: 5 }, 'thread_id must be a uuid'],
  [{ conversation_id: A, trigger_message_id: B, content: 5 }, 'content must be a string'],
  [
    { conversation_id: A, trigger_message_id: B, content: 'x'.repeat(4001) },
    'content too long (max 4000 chars)',
  ],
])('of a new run the first broken rule is told: %j', async (body, text) => {
  await expect(created(body)).rejects.toMatchObject({ status: 400, text });
});

test('a new run: the parent takes precedence over its alias, and whitespace is not a text', async () => {
  const body = { conversation_id: A, trigger_message_id: B, parent_message_id: A, thread_id: 'x' };
  expect(await created({ ...body, content: ' '.repeat(4001) })).toEqual({
    idempotencyKey: 'k',
    conversationId: A.toLowerCase(),
    triggerMessageId: B,
    widgetId: undefined,
    parentMessageId: A.toLowerCase(),
    content: '',
  });
});

test.each<[object, string]>([
  [{ public_text: 5 }, 'status is required'],
  [{ status: '' }, expect.stringMatching(/^status must be one of accepted, queued, /) as unknown as string],
  [{ status: 'completed', public_text: 5, content: 5 }, 'public_text must be a string'],
  [{ status: 'queued', public_text: 'x'.repeat(4001) }, 'public_text too long (max 4000 chars)'],
  [{ status: 'completed', content: 5 }, 'content must be a string'],
  [{ status: 'queued', content: 'x'.repeat(4001), sequence: 0 }, 'content too long (max 4000 chars)'],
  [{ status: 'completed', content: ' ', attachments: 5 }, FILES],
  [{ status: 'queued', attachments: {}, sequence: 0 }, FILES],
  [{ status: 'queued', attachments: [null] }, FILES],
  [{ status: 'queued', attachments: [{ file_id: 'x' }] }, FILES],
  [{ status: 'queued', attachments: Array(16).fill(null) }, 'too many attachments (max 15)'],
  [
    { status: 'queued', attachments: [{ file_id: A }, { file_id: A.toLowerCase() }] },
    'a file is attached twice',
  ],
  [{ status: 'failed', attachments: [{ file_id: A }] }, 'attachments are accepted only with completed'],
  [{ status: 'queued', error_code: '-' }, 'sequence is required'],
  [{ status: 'queued', sequence: '2' }, 'sequence must be an integer from 1 to 9223372036854775807'],
  [{ status: 'queued', sequence: 0 }, 'sequence must be an integer from 1 to 9223372036854775807'],
  [{ status: 'queued', sequence: 2, error_code: '-' }, 'error_code must be up to 64 letters, digits and _'],
])('of a change the first broken rule is told: %j', async (body, text) => {
  await expect(updated(body)).rejects.toMatchObject({ status: 400, text });
});

test('a change: file ids in lower case, and absent fields undefined except the error code', async () => {
  expect(
    await updated({ status: 'completed', public_text: 'x', sequence: 2, attachments: [{ file_id: A }] }),
  ).toEqual({
    status: 'completed',
    sequence: 2n,
    publicText: 'x',
    errorCode: '',
    fileIds: [A.toLowerCase()],
  });
  expect(await updated({ status: 'queued', sequence: 2, public_text: null })).toMatchObject({
    publicText: undefined,
    fileIds: [],
  });
});
