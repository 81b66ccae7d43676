import fc from 'fast-check';
import { call, createWorkspace, expectOk, Tieline } from '../tieline.js';
import type { Answer, Workspace } from '../tieline.js';
import { modern, sendMcp, TASKS } from './mcp-clients.js';
import type { Json } from './mcp-clients.js';
import { CHECKED_TOOLS, SECRET } from './rights/checked-tools.js';
import type { CheckedTool, Kind, Rest, Target } from './rights/checked-tools.js';

/*
 * Random callers call random tools on random targets. Each call is compared with the request to the
 * REST API that it stands for, on a target of the same kind: same refusals, same data, same effect.
 */

const CALLERS = ['owner', 'admin', 'member', 'guest', 'left', 'deactivated', 'bot', 'outsideBot'] as const;
const CONVERSATIONS = ['public', 'private', 'archived', 'direct'] as const;
type CallerName = (typeof CALLERS)[number];
type ConversationName = (typeof CONVERSATIONS)[number];
type Author = 'owner' | 'bot';

const RUNS = Number(process.env.FUZZ_CASES ?? 300);

let tieline: Tieline;
let api: { url: string };
let workspace: Workspace;
const tokens = {} as Record<CallerName, string>;
/** Messages of the archived conversation that no call has used. */
const archived: Record<Author, string[]> = { owner: [], bot: [] };
const conversations = {} as Record<ConversationName, string>;
const files = {} as Record<ConversationName, string>;

const as =
  (token: string) =>
  async (...[method, path, body]: Rest): Promise<Json> =>
    expectOk(call(api, method, `/api/v1/${path}`, token, body));

beforeAll(async () => {
  const rates = ['AGENT_RUN_CREATE', 'AGENT_RUN_UPDATE', 'APPROVALS', 'BOT_MESSAGES', 'BOT_WRITES'];
  tieline = await Tieline.create(
    Object.fromEntries(
      [...rates, 'TASK_WRITES', 'USER_WRITES'].map((name) => [`RATE_${name}_PER_SECOND`, '1000000']),
    ),
  );
  api = await tieline.start('api');
  await tieline.start('worker');
  workspace = await createWorkspace(api);
  const owner = as(workspace.ownerToken);
  tokens.owner = workspace.ownerToken;
  tokens.bot = workspace.botToken;
  tokens.outsideBot = (await owner('POST', 'admin/bots', { display_name: 'outside' })).token as string;
  const ids = {} as Record<string, string>;
  for (const [name, role] of Object.entries({
    admin: 'admin',
    member: 'member',
    guest: 'guest',
    left: 'member',
    deactivated: 'member',
  })) {
    const { user, token } = await owner('POST', 'admin/users', { display_name: name, role });
    tokens[name as CallerName] = token as string;
    ids[name] = user.id as string;
  }
  const members = [ids.member, ids.left, ids.deactivated, workspace.botId];
  for (const name of ['public', 'private', 'archived'] as const) {
    const { conversation } = await owner('POST', 'client/conversations', {
      name,
      is_public: name === 'public',
      member_ids: members,
    });
    conversations[name] = conversation.id as string;
  }
  const { conversation_id: direct } = await owner('POST', 'client/dm', { user_id: ids.member });
  conversations.direct = direct as string;
  for (const name of CONVERSATIONS) files[name] = await shareFile(conversations[name]);
  for (const name of ['public', 'private', 'archived'] as const)
    await as(tokens.left)('POST', `client/conversations/${conversations[name]}/leave`);
  for (const author of ['owner', 'bot'] as const)
    for (let n = 0; n < RUNS / 2; n += 1) archived[author].push(await postAs(author, conversations.archived));
  await owner('POST', `client/conversations/${conversations.archived}/archive`);
  await owner('PATCH', `admin/users/${ids.deactivated}`, { is_active: false });
});
afterAll(() => tieline?.close());

/** Posts a message with a file as the owner. @returns the file's id */
async function shareFile(conversation: string): Promise<string> {
  const owner = as(tokens.owner);
  const { upload } = await owner('POST', 'client/files/upload_sessions', {
    conversation_id: conversation,
    file_name: 'a.txt',
    file_size: 2,
    mime_type: 'text/plain',
  });
  const { pathname, search } = new URL(upload.upload_url as string);
  const { method, headers, file_id: id } = upload as { method: string; headers: Json; file_id: string };
  await fetch(`${api.url}${pathname}${search}`, { method, headers, body: 'hi' });
  await owner('POST', `client/files/${id}/confirm`, { conversation_id: conversation });
  const message = { text: SECRET, attachments: [{ file_id: id }] };
  await owner('POST', `client/conversations/${conversation}/messages`, message);
  return id;
}

/** Posts as the author. @returns the message's id */
async function postAs(author: Author, conversation: string): Promise<string> {
  const { message_id: id } = await (author === 'bot'
    ? as(tokens.bot)('POST', 'bot/messages', { conversation_id: conversation, content: SECRET })
    : as(tokens.owner)('POST', `client/conversations/${conversation}/messages`, { text: SECRET }));
  return id as string;
}

/** Returns the request of a tool, a resource or a task. */
function requestOf(name: string, given: Json): ReturnType<typeof modern> {
  if (name.startsWith('tasks/')) return modern(name, given, { extensions: { [TASKS]: {} } });
  return name === 'read_resource'
    ? modern('resources/read', given)
    : modern('tools/call', { name, arguments: given });
}

/** Calls a tool. @returns the code of the refusal, or the result */
async function useTool(
  token: string,
  name: string,
  given: Json,
): Promise<{ code?: string; result?: Json; raw: string }> {
  const { body } = await sendMcp(api, token, requestOf(name, given));
  const raw = JSON.stringify(body);
  if (body.error) return { code: (body.error.data?.code ?? body.error.message) as string, raw };
  const { isError, structuredContent, contents } = body.result as Json;
  if (isError) return { code: structuredContent.code as string, raw };
  if (contents) return { result: JSON.parse(contents[0].text as string) as Json, raw };
  return { result: (structuredContent ?? body.result) as Json, raw };
}

/** Creates something of the bot with the secret. */
async function createFor(
  needs: CheckedTool['needs'],
  conversation: string,
  message: string,
): Promise<Pick<Target, 'id' | 'sequence'>> {
  const bot = as(tokens.bot);
  if (needs === 'run') {
    const { agent_run: run } = await bot('POST', 'bot/agent_runs', {
      conversation_id: conversation,
      trigger_message_id: message,
      idempotency_key: `run:${message}`,
    });
    return run as Pick<Target, 'id' | 'sequence'>;
  }
  if (needs === 'task') {
    const { execution_task: task } = await bot('POST', 'bot/execution_tasks', {
      conversation_id: conversation,
      idempotency_key: `task:${message}`,
      title: SECRET,
    });
    return { id: task.widget_id as string, sequence: task.sequence as number };
  }
  const { approval } = await bot('POST', 'bot/approvals', { conversation_id: conversation, title: SECRET });
  return approval as Pick<Target, 'id' | 'sequence'>;
}

/** Two targets of the same kind: one for each of the two calls. */
async function twins(name: ConversationName, author: Author, { needs }: CheckedTool): Promise<Target[]> {
  // What belongs to the bot is in conversations where it can write.
  const place = needs && (name === 'archived' || name === 'direct') ? 'private' : name;
  // The bot is in no direct conversation.
  const by = place === 'direct' || needs ? 'owner' : author;
  const conversation = conversations[place];
  const messages =
    place === 'archived'
      ? archived[by].splice(0, 2)
      : [await postAs(by, conversation), await postAs(by, conversation)];
  return Promise.all(
    messages.map(async (message) => {
      const created = needs ? await createFor(needs, conversation, message) : { id: '', sequence: 0 };
      return { conversation, message, file: files[place], ...created };
    }),
  );
}

/** Codes of errors whose shape has none: those of files. */
const CODES: Readonly<Record<number, string>> = { 403: 'forbidden', 404: 'not_found' };
/** What a call of the API refuses with. */
const refusalOf = ({ status, body }: Answer): string | undefined =>
  status < 400 ? undefined : ((body.code ?? CODES[status]) as string);

const DIFFERENT = new Set([
  ...['message_id', 'id', 'msg_index', 'sent_at', 'permalink', 'bot_metadata_json', 'trigger_message_id'],
  ...['idempotency_key', 'started_at', 'updated_at', 'created_at', 'expires_at', 'ended_at', 'widget_id'],
  ...['download_url', 'completed_at', 'external_id'],
]);
/** Results of the two calls, without what differs between two targets. */
const comparable = (result: Json): Json =>
  JSON.parse(
    JSON.stringify(result, (key, value: unknown) => (DIFFERENT.has(key) ? undefined : value)),
  ) as Json;

async function expectSameResult(
  name: string,
  caller: CallerName,
  { conversation }: Target,
  used: Json,
  answer: Json,
): Promise<void> {
  if (name === 'list_files') return;
  if (name === 'tasks/get')
    return expect(used).toMatchObject({ status: 'working', taskId: used.taskId as string });
  if (name.startsWith('tasks/')) return expect(Object.keys(used).sort()).toEqual(['_meta', 'resultType']);
  if (name !== 'search_messages') return expect(comparable(used)).toEqual(comparable(answer));
  // Which messages are indexed yet differs between two calls. Those of others are never found.
  const path = `/api/v1/channels/${conversation}/messages`;
  if ((await call(api, 'GET', path, tokens[caller])).status >= 400) expect(used.results).toEqual([]);
}

/** Reads the value that a call changes. */
async function valueOf({ effect }: CheckedTool, target: Target): Promise<unknown> {
  if (!effect) return undefined;
  const { rows } = await tieline.sql.query<{ value: string }>(
    effect.sql,
    effect.of ? [target[effect.of]] : [],
  );
  return rows[0]?.value;
}

test('every tool is checked', async () => {
  const { body } = await sendMcp(api, tokens.bot, modern('tools/list'));
  const listed = (body.result.tools as Json[]).map(({ name }) => name as string);
  expect(Object.keys(CHECKED_TOOLS)).toEqual(expect.arrayContaining(listed));
});

test('no tool returns or changes what the API refuses', async () => {
  const cases = fc.record({
    caller: fc.constantFrom(...CALLERS),
    name: fc.constantFrom(...Object.keys(CHECKED_TOOLS)),
    conversation: fc.constantFrom(...CONVERSATIONS),
    author: fc.constantFrom('owner' as const, 'bot' as const),
  });
  const property = fc.asyncProperty(cases, async ({ caller, name, conversation, author }) => {
    const kind: Kind = tokens[caller].startsWith('tlb_') ? 'bot' : 'user';
    const tool = CHECKED_TOOLS[name] as CheckedTool;
    const [one, other] = await twins(conversation, author, tool);
    fc.pre(one !== undefined && other !== undefined);
    const before = await valueOf(tool, one);
    const used = await useTool(tokens[caller], name, tool.given(one, kind));
    const after = await valueOf(tool, one);
    const [method, path, body] = tool.rest(other, kind);
    const answer = await call(api, method, `/api/v1/${path}`, tokens[caller], body);
    expect(used.code).toBe(refusalOf(answer));
    expect(before !== after).toBe(tool.effect !== undefined && answer.status < 400);
    if (answer.status >= 400) expect(used.raw).not.toContain(SECRET);
    else await expectSameResult(name, caller, one, used.result as Json, answer.body);
  });
  await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
});
