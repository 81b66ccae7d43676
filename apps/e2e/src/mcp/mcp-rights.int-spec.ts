import fc from 'fast-check';
import { call, createWorkspace, expectOk, Tieline } from '../tieline.js';
import type { Answer, Workspace } from '../tieline.js';

/*
 * Random callers call random tools on random targets. Each call is compared with the request to the
 * REST API that it stands for, on a target of the same kind: same refusals, same data, same effect.
 */

type Json = Record<string, any>;
type Kind = 'bot' | 'user';
type Rest = [method: string, path: string, body?: object];

const CALLERS = ['owner', 'admin', 'member', 'guest', 'left', 'deactivated', 'bot', 'outsideBot'] as const;
const CONVERSATIONS = ['public', 'private', 'archived', 'direct'] as const;
const TOOLS = [
  ...[
    'list_conversations',
    'search_messages',
    'search_conversations',
    'read_conversation',
    'read_thread',
    'list_files',
    'send_message',
  ],
  ...['edit_message', 'delete_message', 'react', 'start_run', 'read_resource'],
] as const;
type CallerName = (typeof CALLERS)[number];
type Tool = (typeof TOOLS)[number];
type Author = 'owner' | 'bot';

const RUNS = Number(process.env.FUZZ_CASES ?? 150);
/** Texts of messages that only some callers may see. */
const SECRET = 'only for those who may read it';

let tieline: Tieline;
let api: { url: string };
let workspace: Workspace;
const tokens = {} as Record<CallerName, string>;
/** Messages of the archived conversation that no call has used. */
const archived: Record<Author, string[]> = { owner: [], bot: [] };
const conversations = {} as Record<(typeof CONVERSATIONS)[number], string>;

const as =
  (token: string) =>
  async (...[method, path, body]: Rest): Promise<Json> =>
    expectOk(call(api, method, `/api/v1/${path}`, token, body));

beforeAll(async () => {
  const rates = ['AGENT_RUN_CREATE', 'BOT_MESSAGES', 'BOT_WRITES', 'USER_WRITES'];
  tieline = await Tieline.create(
    Object.fromEntries(rates.map((name) => [`RATE_${name}_PER_SECOND`, '1000000'])),
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
  for (const conversation of Object.values(conversations))
    await owner('POST', `client/conversations/${conversation}/messages`, { text: SECRET });
  for (const name of ['public', 'private', 'archived'] as const)
    await as(tokens.left)('POST', `client/conversations/${conversations[name]}/leave`);
  for (const author of ['owner', 'bot'] as const)
    for (let n = 0; n < RUNS; n += 1) archived[author].push(await postAs(author, conversations.archived));
  await owner('POST', `client/conversations/${conversations.archived}/archive`);
  await owner('PATCH', `admin/users/${ids.deactivated}`, { is_active: false });
});
afterAll(() => tieline?.close());

/** Calls a tool or reads a resource. @returns the status and error of the refusal, or the result */
async function useTool(
  token: string,
  name: Tool,
  given: Json,
): Promise<{ code?: string; result?: Json; raw: string }> {
  const request =
    name === 'read_resource'
      ? { method: 'resources/read', params: { uri: `tieline://messages/${given.message_id}` } }
      : { method: 'tools/call', params: { name, arguments: given } };
  const { body } = await call(api, 'POST', '/mcp', token, { jsonrpc: '2.0', id: 1, ...request });
  const raw = JSON.stringify(body);
  if (body.error) return { code: (body.error.data?.code ?? body.error.message) as string, raw };
  if (body.result.contents) return { result: JSON.parse(body.result.contents[0].text) as Json, raw };
  const { isError, structuredContent } = body.result as Json;
  return isError
    ? { code: structuredContent.code as string, raw }
    : { result: structuredContent as Json, raw };
}

/** The request that a tool stands for. */
function restOf(name: Tool, kind: Kind, given: Json): Rest {
  const own = kind === 'bot' ? 'bot' : 'client';
  const { conversation_id: conversation, message_id: message, text } = given;
  const edited = kind === 'bot' ? { content: text } : { text };
  switch (name) {
    case 'list_conversations':
      return ['GET', `${own}/conversations`];
    case 'search_messages':
      return ['GET', `${own}/search/messages?q=those&in=${given.in}`];
    case 'search_conversations':
      return ['GET', kind === 'bot' ? 'bot/conversations?q=a' : 'client/search/conversations?q=a'];
    case 'read_conversation':
    case 'list_files':
      return ['GET', `channels/${conversation}/messages`];
    case 'read_thread':
      return ['GET', `channels/${conversation}/messages?thread_id=${given.thread_id}`];
    case 'read_resource':
      return ['GET', `${own}/messages/${message}`];
    case 'send_message':
      return kind === 'bot'
        ? ['POST', 'bot/messages', { conversation_id: conversation, ...edited }]
        : ['POST', `client/conversations/${conversation}/messages`, edited];
    case 'edit_message':
      return ['PATCH', `${own}/messages/${message}`, edited];
    case 'delete_message':
      return ['DELETE', `${own}/messages/${message}`];
    case 'react':
      return ['PUT', `${own}/messages/${message}/reactions/${encodeURIComponent(given.emoji as string)}`];
    case 'start_run':
      return ['POST', 'bot/agent_runs', given];
  }
}

/** Posts as the author. @returns the message's id */
async function postAs(author: Author, conversation: string): Promise<string> {
  const { message_id: id } = await (author === 'bot'
    ? as(tokens.bot)('POST', 'bot/messages', { conversation_id: conversation, content: SECRET })
    : as(tokens.owner)('POST', `client/conversations/${conversation}/messages`, { text: SECRET }));
  return id as string;
}

/** Two messages of the same author in the same conversation: one for each of the two calls. */
async function twins(conversation: (typeof CONVERSATIONS)[number], author: Author): Promise<string[]> {
  if (conversation === 'archived') return archived[author].splice(0, 2);
  // The bot is in no direct conversation.
  const by = conversation === 'direct' ? 'owner' : author;
  return [await postAs(by, conversations[conversation]), await postAs(by, conversations[conversation])];
}

const argumentsOf = (name: Tool, conversation: string, message: string): Json => {
  switch (name) {
    case 'list_conversations':
      return {};
    case 'search_messages':
      return { q: 'those', in: conversation };
    case 'search_conversations':
      return { q: 'a' };
    case 'read_conversation':
    case 'list_files':
      return { conversation_id: conversation };
    case 'read_thread':
      return { conversation_id: conversation, thread_id: message };
    case 'send_message':
      return { conversation_id: conversation, text: 'from a tool' };
    case 'edit_message':
      return { message_id: message, text: 'from a tool' };
    case 'react':
      return { message_id: message, emoji: '👍' };
    case 'start_run':
      return {
        conversation_id: conversation,
        trigger_message_id: message,
        idempotency_key: `run:${message}`,
      };
    default:
      return { message_id: message };
  }
};

/** What a call of the API refuses with. */
const refusalOf = ({ status, body }: Answer): string | undefined =>
  status < 400 ? undefined : (body.code as string);

/** Results of the two calls, without what differs between two messages. */
const comparable = (result: Json): Json =>
  JSON.parse(
    JSON.stringify(result, (key, value: unknown) =>
      [
        'message_id',
        'id',
        'msg_index',
        'sent_at',
        'permalink',
        'bot_metadata_json',
        'trigger_message_id',
        'idempotency_key',
        'started_at',
        'updated_at',
      ].includes(key)
        ? undefined
        : value,
    ),
  ) as Json;

/** Which messages are indexed yet differs between two calls. Those of others are never found. */
async function expectReadable(
  caller: CallerName,
  conversation: (typeof CONVERSATIONS)[number],
  { results }: Json,
): Promise<void> {
  const path = `/api/v1/channels/${conversations[conversation]}/messages`;
  if ((await call(api, 'GET', path, tokens[caller])).status >= 400) expect(results).toEqual([]);
}

test('no tool returns or changes what the API refuses', async () => {
  const cases = fc.record({
    caller: fc.constantFrom(...CALLERS),
    tool: fc.constantFrom(...TOOLS),
    conversation: fc.constantFrom(...CONVERSATIONS),
    author: fc.constantFrom('owner' as const, 'bot' as const),
  });
  const property = fc.asyncProperty(cases, async ({ caller, tool, conversation, author }) => {
    const kind: Kind = tokens[caller].startsWith('tlb_') ? 'bot' : 'user';
    const [one, other] = await twins(conversation, author);
    fc.pre(one !== undefined && other !== undefined);
    const id = conversations[conversation];
    const used = await useTool(tokens[caller], tool, argumentsOf(tool, id, one));
    const [method, path, body] = restOf(tool, kind, argumentsOf(tool, id, other));
    const answer = await call(api, method, `/api/v1/${path}`, tokens[caller], body);
    if (tool === 'start_run' && kind === 'user' && caller !== 'deactivated') {
      expect(used.code).toBe('Unknown tool: start_run');
      return;
    }
    expect(used.code).toBe(refusalOf(answer));
    if (answer.status >= 400) expect(used.raw).not.toContain(SECRET);
    else if (tool === 'search_messages') await expectReadable(caller, conversation, used.result as Json);
    else if (tool !== 'list_files') expect(comparable(used.result as Json)).toEqual(comparable(answer.body));
    if (tool !== 'edit_message' && tool !== 'delete_message') return;
    const after = await call(api, 'GET', `/api/v1/client/messages/${one}`, tokens.owner);
    const isChanged = after.status === 410 || after.body.message.text !== SECRET;
    expect(isChanged).toBe(answer.status < 400);
  });
  await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
});
