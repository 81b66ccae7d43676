import { isDeepStrictEqual } from 'node:util';
import { OutboxModule, OutboxRelay, RelayModule } from '@tieline/delivery';
import { BotsFixture, startBotsApi } from '@tieline/bots/testing';
import type { SeededBot } from '@tieline/bots/testing';
import { eventually, HeldIntervals } from '@tieline/testing';
import type { SeededPerson, TestAnswer, TestApi } from '@tieline/spaces/testing';
import { uuidv7 } from 'uuidv7';
import {
  emptyIndex,
  indexEarlierMessages,
  indexMissedMessages,
  indexProgress,
} from '../indexing/index-earlier-messages.js';
import { SearchIndexer } from '../indexing/search-indexer.js';
import { SearchModule, SearchWorkerModule } from '../search.module.js';

/** The worker looks for messages that are not indexed yet this often. Tests call it themselves. */
const SWEEP_MS = 30_000;

let intervals: HeldIntervals;
let api: TestApi;
let fixture: BotsFixture;
let ann: SeededPerson;
let bob: SeededPerson;
let guest: SeededPerson;
let bot: SeededBot;

beforeAll(async () => {
  intervals = new HeldIntervals(SWEEP_MS);
  api = await startBotsApi({}, [OutboxModule, RelayModule, SearchModule, SearchWorkerModule]);
});
afterAll(async () => {
  await api?.close();
  intervals.release();
});
beforeEach(async () => {
  fixture = await BotsFixture.of(api);
  [ann, bob, guest] = [
    await fixture.space.person('member', 'Ann'),
    await fixture.space.person('member', 'Bob'),
    await fixture.space.person('guest', 'Gus'),
  ];
  bot = await fixture.bot();
});

const user = ({ id }: { id: string }) => ({ id, type: 'user' as const });
const robot = ({ id }: { id: string }) => ({ id, type: 'bot' as const });

const search = (person: SeededPerson, query: string): Promise<TestAnswer> =>
  api.call('GET', `/api/v1/client/search/messages?${query}`, { token: person.token });
const searchAsBot = (query: string): Promise<TestAnswer> =>
  api.call('GET', `/api/v1/bot/search/messages?${query}`, { token: bot.token });
const textsOf = ({ status, body }: TestAnswer): string[] => {
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body.results.map(({ message }: { message: { text: string } }) => message.text);
};
const find = async (person: SeededPerson, q: string, more = ''): Promise<string[]> =>
  textsOf(await search(person, `q=${encodeURIComponent(q)}${more}`));
const as = (person: SeededPerson, method: string, path: string, body?: unknown) =>
  api.call(method, `/api/v1/client${path}`, { token: person.token, body });

/** Resolves when everything that happened is in the index. */
async function indexed(): Promise<void> {
  await eventually(async () => (await api.db.query('SELECT 1 FROM outbox LIMIT 1')).length === 0);
  await api.app.get(SearchIndexer).flush();
}

/** Posts the texts as Ann. @returns ids of the messages */
async function post(conversationId: string, ...texts: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const text of texts) ids.push((await fixture.chat.post(conversationId, user(ann), text)).messageId);
  api.app.get(OutboxRelay).wake();
  await indexed();
  return ids;
}

const channel = (members = [ann, bob], scope: 'public' | 'private' = 'public') =>
  fixture.chat.conversation({ scope, members: members.map(user), name: 'releases' });

describe('words', () => {
  beforeEach(async () => {
    await post(
      await channel(),
      'Crème brûlée for everyone',
      'STRASSE or Straße',
      'release notes of today',
      'notes of a release',
      '東京都に行く',
      'party 🎉',
    );
  });

  test.each([
    ['creme', ['Crème brûlée for everyone']],
    ['cre\u0300me BRULEE', ['Crème brûlée for everyone']],
    ['straße', ['STRASSE or Straße']],
    ['release notes', ['notes of a release', 'release notes of today']],
    ['"release notes"', ['release notes of today']],
    ['release -today', ['notes of a release']],
    ['every*', ['Crème brûlée for everyone']],
    ['every', []],
    ['東京', ['東京都に行く']],
    ['京都', ['東京都に行く']],
    ['東都', []],
    ['行', ['東京都に行く']],
    ['🎉', ['party 🎉']],
    ['absent', []],
  ])('%s', async (q, found) => {
    expect(await find(ann, q)).toEqual(found);
  });

  test('highlights are UTF-16 offsets of the stored text', async () => {
    const { body } = await search(ann, 'q=%F0%9F%8E%89');
    expect(body.results).toMatchObject([
      { highlights: [[6, 8]], conversation: { name: 'releases', type: 'channel' } },
    ]);
  });
});

test.each([
  ['q=', 'q'],
  ['', 'q'],
  ['q=%20', 'q'],
  ['q=-word', 'q'],
  ['q=%22', 'q'],
  ['q=!!!%20...', 'q'],
  ['q=a%00b', 'q'],
  [`q=${'x'.repeat(201)}`, 'q'],
  ['q=a&has=nothing', 'has'],
  ['q=a&in=x', 'in'],
  ['q=a&from=x', 'from'],
  ['q=a&thread=x', 'thread'],
  ['q=a&before=yesterday', 'before'],
  ['q=a&after=1', 'after'],
  ['q=a&limit=0', 'limit'],
  ['q=a&limit=201', 'limit'],
  ['q=a&cursor=x', 'cursor'],
  ['q=a&cursor=1.0190f2a4', 'cursor'],
  ['q=a&q=b', 'q'],
])('%s gets 400 for %s', async (query, field) => {
  for (const answer of [await search(ann, query), await searchAsBot(query)])
    expect(answer).toMatchObject({ status: 400, body: { ok: false, code: 'invalid_field', field } });
});

test.each([
  '🎉'.repeat(200),
  "'; DROP TABLE users; --",
  'a & b | !c <-> d:*',
  "\\' ' '' :* #1:x",
  '\u202eabc\u202c',
  'x'.repeat(200),
  '漢'.repeat(200),
  'ก'.repeat(200),
  '"a" "b" "',
  Array.from({ length: 100 }, (_, n) => String.fromCharCode(97 + (n % 26))).join(' '),
])('%s finds nothing and breaks nothing', async (q) => {
  await post(await channel(), 'some text');
  expect(await find(ann, q)).toEqual([]);
});

test('bytes that are no UTF-8 break nothing', async () => {
  expect((await search(ann, 'q=%ED%A0%80')).status).toBe(200);
});

test('an edit replaces a message in the index, a deletion removes it', async () => {
  const id = await channel();
  const [message] = await post(id, 'first words');
  expect((await as(ann, 'PATCH', `/messages/${message}`, { text: 'second thoughts' })).status).toBe(200);
  await indexed();
  expect(await find(ann, 'first')).toEqual([]);
  expect(await find(ann, 'second')).toEqual(['second thoughts']);
  await as(ann, 'DELETE', `/messages/${message}`);
  expect(await find(ann, 'second')).toEqual([]);
  await indexed();
  expect(await api.db.query('SELECT 1 FROM search_messages WHERE message_id = $1', [message])).toEqual([]);
});

test('filters by conversation, author, time, thread and content', async () => {
  const [here, there] = [await channel(), await channel()];
  const [root, , pinned] = await post(here, 'alpha root', 'alpha https://example.com', 'alpha pinned');
  await post(there, 'alpha elsewhere');
  await fixture.chat.post(here, user(bob), 'alpha by Bob');
  const reply = await fixture.chat.post(here, user(bob), 'alpha reply', { parentMessageId: root });
  await as(ann, 'PUT', `/messages/${pinned}/pin`);
  await as(ann, 'PUT', `/messages/${root}/reactions/👍`);
  await indexed();
  expect(await find(ann, 'alpha', `&in=${there}`)).toEqual(['alpha elsewhere']);
  expect(await find(ann, 'alpha', `&in=${here}`)).toHaveLength(5);
  expect(await find(ann, 'alpha', `&in=${reply.conversationId}`)).toEqual(['alpha reply']);
  expect(await find(ann, 'alpha', `&from=${bob.id}`)).toEqual(['alpha reply', 'alpha by Bob']);
  expect(await find(ann, 'alpha', `&thread=${root}`)).toEqual(['alpha reply']);
  expect(await find(ann, '', '&has=link')).toEqual(['alpha https://example.com']);
  expect(await find(ann, '', '&has=pin')).toEqual(['alpha pinned']);
  expect(await find(ann, '', '&has=reaction')).toEqual(['alpha root']);
  expect(await find(ann, '', '&has=file')).toEqual([]);
  expect(await find(ann, '-root -by', `&in=${here}`)).toEqual([
    'alpha reply',
    'alpha pinned',
    'alpha https://example.com',
  ]);
  expect(await find(ann, '', '&after=2000-01-01T00:00:00Z')).toHaveLength(6);
  expect(await find(ann, 'alpha', '&before=2000-01-01T00:00:00Z')).toEqual([]);
  expect(await find(ann, 'alpha', '&after=2999-01-01T00:00:00Z')).toEqual([]);
  expect(await find(ann, 'alpha', `&in=${uuidv7()}`)).toEqual([]);
  await as(ann, 'DELETE', `/messages/${pinned}/pin`);
  await as(ann, 'DELETE', `/messages/${root}/reactions/👍`);
  await indexed();
  expect(await find(ann, '', '&has=pin')).toEqual([]);
  expect(await find(ann, '', '&has=reaction')).toEqual([]);
});

test('pages show every message once, newest first', async () => {
  const id = await channel();
  const texts = Array.from({ length: 7 }, (_, n) => `page ${n}`);
  await post(id, ...texts);
  const seen: string[] = [];
  let cursor = '';
  do {
    const answer = await search(ann, `q=page&limit=3&cursor=${cursor}`);
    seen.push(...textsOf(answer));
    cursor = answer.body.next_cursor;
  } while (cursor !== '');
  expect(seen).toEqual(texts.toReversed());
});

describe('rights', () => {
  test('people: public channels and their own; guests only their own; former members lose access', async () => {
    const [open, closed, direct] = [
      await channel([ann]),
      await channel([ann, bob], 'private'),
      await fixture.chat.direct(user(ann), user(guest)),
    ];
    const [root] = await post(open, 'secret open');
    await post(closed, 'secret closed');
    await post(direct, 'secret direct');
    await fixture.chat.post(open, user(ann), 'secret reply', { parentMessageId: root });
    await indexed();
    expect(await find(ann, 'secret')).toEqual([
      'secret reply',
      'secret direct',
      'secret closed',
      'secret open',
    ]);
    expect(await find(bob, 'secret')).toEqual(['secret reply', 'secret closed', 'secret open']);
    expect(await find(guest, 'secret')).toEqual(['secret direct']);
    expect(await find(guest, 'secret', `&in=${open}`)).toEqual([]);
    expect(await find(fixture.space.owner, 'secret', `&in=${closed}`)).toEqual([]);
    await as(bob, 'POST', `/conversations/${closed}/leave`);
    expect(await find(bob, 'secret')).toEqual(['secret reply', 'secret open']);
    expect((await as(ann, 'POST', `/conversations/${open}/archive`)).status).toBe(200);
    expect(await find(bob, 'secret')).toEqual(['secret reply', 'secret open']);
    const other = await BotsFixture.of(api);
    expect(await find(other.space.owner, 'secret')).toEqual([]);
  });

  test('someone in no conversation finds only public messages, a guest in none nothing', async () => {
    await post(await channel([ann]), 'lonely');
    await post(await channel([ann], 'private'), 'lonely');
    expect(await find(bob, 'lonely')).toHaveLength(1);
    expect(await find(guest, 'lonely')).toEqual([]);
  });

  test('members of many conversations find what they may read', async () => {
    for (let n = 0; n < 25; n += 1) await channel([bob], 'private');
    const [mine, theirs] = [await channel([ann, bob], 'private'), await channel([ann], 'private')];
    await post(mine, 'many mine');
    await post(theirs, 'many theirs');
    expect(await find(bob, 'many')).toEqual(['many mine']);
  });

  test('bots: as they read history', async () => {
    const [open, closed, own, direct] = [
      await channel([ann]),
      await channel([ann], 'private'),
      await fixture.chat.conversation({ scope: 'private', members: [user(ann), robot(bot)] }),
      await fixture.chat.direct(user(ann), robot(bot)),
    ];
    for (const [id, text] of [
      [open, 'robot open'],
      [closed, 'robot closed'],
      [own, 'robot own'],
      [direct, 'robot direct'],
    ] as const)
      await post(id, text);
    const found = async () => textsOf(await searchAsBot('q=robot'));
    expect(await found()).toEqual(['robot direct', 'robot own', 'robot open']);
    await fixture.admin('PATCH', `/bots/${bot.id}`, { channel_ids: [open, closed] });
    expect(await found()).toEqual(['robot direct', 'robot open']);
  });
});

test('what a dead worker planned but did not index is found again', async () => {
  const id = await channel();
  const [, gone] = await post(id, 'lost one', 'lost two');
  await api.db.query('DELETE FROM search_messages WHERE space_id = $1 AND message_id <> $2', [
    fixture.space.spaceId,
    gone,
  ]);
  await api.db.query("UPDATE messages SET text = '', deleted_at = now(), changed_at = now() WHERE id = $1", [
    gone,
  ]);
  await indexMissedMessages(api.db);
  expect(await find(ann, 'lost')).toEqual(['lost one']);
  expect(await api.db.query('SELECT 1 FROM search_messages WHERE message_id = $1', [gone])).toEqual([]);
});

test('a worker that begins to relay indexes only what is missing', async () => {
  const id = await channel();
  const [kept, edited, lost] = await post(id, 'whole one', 'whole two', 'whole three');
  await api.db.query('DELETE FROM search_messages WHERE message_id = $1', [lost]);
  await api.db.query("UPDATE messages SET text = 'whole 2', changed_at = now() WHERE id = $1", [edited]);
  const rows = (): Promise<unknown[]> =>
    api.db.query('SELECT message_id, xmin::text FROM search_messages WHERE message_id = ANY ($1)', [
      [kept, edited, lost],
    ]);
  const before = await rows();
  await indexMissedMessages(api.db);
  expect(await find(ann, 'whole')).toEqual(['whole three', 'whole 2', 'whole one']);
  const after = await rows();
  const untouched = after.filter((row) => before.some((one) => isDeepStrictEqual(one, row)));
  expect(untouched).toMatchObject([{ message_id: kept }]);
});

test('messages that a worker missed are found after a longer time, though others are indexed meanwhile', async () => {
  const id = await channel();
  const [lost] = await post(id, 'hidden gem');
  await api.db.query('DELETE FROM search_messages WHERE message_id = $1', [lost]);
  await api.db.query("UPDATE messages SET sent_at = now() - interval '1 hour' WHERE id = $1", [lost]);
  await api.db.query("UPDATE search_clock SET flushed_at = now() - interval '1 hour'");
  await api.db.query('UPDATE outbox_relay SET relay_id = gen_random_uuid()');
  await post(id, 'hidden stone');
  expect(await find(ann, 'hidden')).toEqual(['hidden stone']);
  await api.app.get(SearchIndexer).catchUp();
  expect(await find(ann, 'hidden')).toEqual(['hidden stone', 'hidden gem']);
  const isOld = async (): Promise<unknown> =>
    (await api.db.query("SELECT flushed_at < now() - interval '30 minutes' AS old FROM search_clock"))[0];
  expect(await isOld()).toEqual({ old: true });
  await post(id, 'hidden again');
  expect(await isOld()).toEqual({ old: false });
});

test('more missed messages than fit a page are found, in more conversations than fit one', async () => {
  const id = await channel();
  await post(id, 'many');
  await api.db.query(
    `WITH c AS (
       INSERT INTO conversations (space_id, id, type, scope, created_by, last_changed_at)
       SELECT $1, gen_random_uuid(), 'channel', 'public', $2, now() FROM generate_series(1, 101)
       RETURNING id
     ), o AS (UPDATE conversations SET last_changed_at = now() WHERE id = $3)
     INSERT INTO messages (space_id, id, conversation_id, msg_index, author_id, author_type, text, sent_at)
     SELECT $1, gen_random_uuid(), c.id, 1, $2, 'user', 'many', now() FROM c
     UNION ALL
     SELECT $1, gen_random_uuid(), $3, 1000 + n, $2, 'user', 'many', now() FROM generate_series(1, 5001) n`,
    [fixture.space.spaceId, ann.id, id],
  );
  await indexMissedMessages(api.db);
  const [row] = await api.db.query('SELECT count(*) AS indexed FROM search_messages WHERE space_id = $1', [
    fixture.space.spaceId,
  ]);
  expect(row).toEqual({ indexed: 1 + 101 + 5001 });
});

describe('earlier messages', () => {
  const catchUp = () => indexEarlierMessages(api.db, () => true);

  test('are indexed in buckets by their time, also after the first live messages', async () => {
    const id = await channel();
    await api.db.query(
      `INSERT INTO messages (space_id, id, conversation_id, msg_index, author_id, author_type, text, sent_at)
       SELECT $1, gen_random_uuid(), $2, 1000 + n, $3, 'user', 'early ' || n, now() - n * interval '1 hour'
       FROM generate_series(1, 5000) n`,
      [fixture.space.spaceId, id, ann.id],
    );
    await post(id, 'early live');
    expect(await find(ann, 'early')).toEqual(['early live']);
    // The sweep of the worker may have seen the space before it had messages.
    await api.db.query('DELETE FROM search_spaces WHERE space_id = $1', [fixture.space.spaceId]);
    await catchUp();
    expect(await find(ann, 'early', '&limit=3')).toEqual(['early live', 'early 1', 'early 2']);
    expect(await find(ann, 'early 4999')).toEqual(['early 4999']);
    const seen: string[] = [];
    let cursor = '';
    do {
      const answer = await search(ann, `q=early&limit=200&cursor=${cursor}`);
      seen.push(...textsOf(answer));
      cursor = answer.body.next_cursor;
    } while (cursor !== '');
    expect(seen).toEqual(['early live', ...Array.from({ length: 5000 }, (_, n) => `early ${n + 1}`)]);
    const buckets = await api.db.query('SELECT 1 FROM search_buckets WHERE space_id = $1', [
      fixture.space.spaceId,
    ]);
    expect(buckets).toHaveLength(4);
  });

  test('a rebuilt index finds the same, without deleted messages', async () => {
    const id = await channel();
    const [, gone] = await post(id, 'rebuilt one', 'rebuilt two', 'rebuilt three');
    await as(ann, 'DELETE', `/messages/${gone}`);
    await indexed();
    await emptyIndex(api.db);
    expect(await find(ann, 'rebuilt')).toEqual([]);
    await catchUp();
    expect(await find(ann, 'rebuilt')).toEqual(['rebuilt three', 'rebuilt one']);
    expect(await indexProgress(api.db)).toMatchObject({ spaces: 0 });
  });
});

test('a message that was sent before the first indexed one is found by its time', async () => {
  const id = await channel();
  await post(id, 'quick commit');
  await api.db.query(
    `INSERT INTO messages (space_id, id, conversation_id, msg_index, author_id, author_type, text, sent_at)
     VALUES ($1, gen_random_uuid(), $2, 1000, $3, 'user', 'slow commit', now() - interval '10 seconds')`,
    [fixture.space.spaceId, id, ann.id],
  );
  await indexMissedMessages(api.db);
  const before = new Date(Date.now() - 5000).toISOString();
  expect(await find(ann, 'commit', `&before=${before}`)).toEqual(['slow commit']);
});

test('a space gets its next bucket when one is full, and results stay in order', async () => {
  const id = await channel();
  await post(id, 'bucket one');
  await api.db.query('UPDATE search_buckets SET messages = 2048 WHERE space_id = $1', [
    fixture.space.spaceId,
  ]);
  await post(id, 'bucket two', 'bucket three');
  expect(await find(ann, 'bucket')).toEqual(['bucket three', 'bucket two', 'bucket one']);
  expect(
    await api.db.query('SELECT 1 FROM search_buckets WHERE space_id = $1', [fixture.space.spaceId]),
  ).toHaveLength(2);
});

describe('full buckets', () => {
  /** Lets the next message open another bucket. */
  const fillBucket = () =>
    api.db.query('UPDATE search_buckets SET messages = 2048 WHERE space_id = $1', [fixture.space.spaceId]);
  const listed = async (): Promise<boolean[]> => {
    const rows = await api.db.query(
      'SELECT is_listed FROM search_buckets WHERE space_id = $1 ORDER BY starts_at',
      [fixture.space.spaceId],
    );
    return (rows as { is_listed: boolean }[]).map((row) => row.is_listed);
  };

  test('are listed, and found by what is in them or comes into them later', async () => {
    const id = await channel();
    const [oldest] = await post(id, 'marmalade and toast');
    for (const text of ['second', 'third', 'fourth']) {
      await fillBucket();
      await post(id, text);
    }
    await api.app.get(SearchIndexer).catchUp();
    expect(await listed()).toEqual([true, true, true, false]);
    expect(await find(ann, 'marmalade toast')).toEqual(['marmalade and toast']);
    expect(await find(ann, 'marma*')).toEqual(['marmalade and toast']);
    expect(await find(ann, '"toast and"')).toEqual([]);
    expect(await find(ann, '-second -third', `&in=${id}`)).toEqual(['fourth', 'marmalade and toast']);
    expect(await find(ann, 'toast -marmalade')).toEqual([]);

    expect((await as(ann, 'PATCH', `/messages/${oldest}`, { text: 'honey and toast' })).status).toBe(200);
    await as(ann, 'PUT', `/messages/${oldest}/reactions/👍`);
    await api.db.query(
      `INSERT INTO messages (space_id, id, conversation_id, msg_index, author_id, author_type, text, sent_at, changed_at)
       SELECT space_id, gen_random_uuid(), conversation_id, 1000, author_id, author_type, 'late porridge', sent_at, now()
       FROM messages WHERE id = $1`,
      [oldest],
    );
    await indexed();
    await indexMissedMessages(api.db);
    expect(await find(ann, 'honey toast')).toEqual(['honey and toast']);
    expect(await find(ann, 'marmalade')).toEqual([]);
    expect(await find(ann, '', '&has=reaction')).toEqual(['honey and toast']);
    expect(await find(ann, 'late')).toEqual(['late porridge']);
    // A word is added once.
    expect(
      await api.db.query(
        `SELECT 1 FROM search_bucket_words WHERE space_id = $1 AND words @@ ($2 || 'toast')::tsquery`,
        [fixture.space.spaceId, fixture.space.spaceId.slice(-8)],
      ),
    ).toHaveLength(1);
  });

  test('with thousands of words are found by words of several parts of the list', async () => {
    const id = await channel();
    await api.db.query(
      `INSERT INTO messages (space_id, id, conversation_id, msg_index, author_id, author_type, text, sent_at)
       SELECT $1, gen_random_uuid(), $2, n, $3, 'user', 'a' || n || ' and z' || n, now() - n * interval '1 hour'
       FROM generate_series(1, 8000) n`,
      [fixture.space.spaceId, id, ann.id],
    );
    await api.db.query('DELETE FROM search_spaces WHERE space_id = $1', [fixture.space.spaceId]);
    await indexEarlierMessages(api.db, () => true);
    expect(await listed()).toEqual([true, true, true, false]);
    expect(await find(ann, 'a7999 z7999')).toEqual(['a7999 and z7999']);
    expect(await find(ann, 'a7999 z7998')).toEqual([]);
    expect(await find(ann, 'a799*')).toHaveLength(11);
  });
});
