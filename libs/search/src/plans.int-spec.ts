import { describePlans } from '@tieline/testing';
import { ADD_WORDS } from './indexing/bucket-words.statements.js';
import { LOCK_INCOMPLETE } from './indexing/earlier-messages.statements.js';
import {
  INDEX_MESSAGES,
  READ_CHANGED,
  READ_EARLIER,
  REMOVE_MESSAGES,
} from './indexing/search-index.statements.js';
import { SEARCH_MESSAGES } from './messages/search-messages.statements.js';

const PREFIX = '0190d5e0-0000-7000-8000-';
/** Returns the n-th id of any table. */
const id = (n: number): string => `${PREFIX}${n.toString(16).padStart(12, '0')}`;
const nth = (n: string): string => `('${PREFIX}' || lpad(to_hex(${n}), 12, '0'))::uuid`;
const BIG = id(1);
const ANN = id(7);
/** Messages of the big space are in 50 buckets of 2,000. The newest has the highest number. */
const MESSAGES = 100_000;
const words = (n: string): string => `(SELECT string_agg('''' || bucket || ':' || word || '''', ' ')
  FROM (VALUES ('often'), ('w' || ${n} % 5000), ('u' || ${n}), (':p'), (':c' || lpad(to_hex(${n} % 100 + 1), 12, '0'))) AS w(word))::tsvector`;

const FILL = `
  INSERT INTO spaces (id, name) SELECT ${nth('n')}, 'Space' FROM generate_series(1, 2000) n;
  INSERT INTO conversations (space_id, id, type, scope, created_by)
    SELECT '${BIG}', ${nth('n')}, 'channel', 'public', '${ANN}' FROM generate_series(1, 100) n;
  INSERT INTO conversation_members (space_id, conversation_id, member_id, member_type)
    SELECT '${BIG}', ${nth('n % 100 + 1')}, ${nth('7 + n / 100')}, 'user' FROM generate_series(0, 9999) n;
  INSERT INTO messages (space_id, id, conversation_id, msg_index, author_id, author_type, text, sent_at)
    SELECT '${BIG}', ${nth('n')}, ${nth('n % 100 + 1')}, n, '${ANN}', 'user', 'often', timestamptz '2026-01-01' + n * interval '1 second'
    FROM generate_series(1, ${MESSAGES}) n;
  INSERT INTO search_buckets (space_id, starts_at, messages)
    SELECT '${BIG}', timestamptz '2026-01-01' + b * interval '2000 seconds', 2000 FROM generate_series(0, 49) b;
  INSERT INTO search_buckets (space_id, starts_at, messages)
    SELECT ${nth('n')}, timestamptz '2026-01-01', 20 FROM generate_series(2, 2000) n;
  INSERT INTO search_messages (message_id, space_id, bucket_id, conversation_id, channel_id, scope, author_id, sent_at, version, words)
    SELECT ${nth('n')}, '${BIG}', bucket, ${nth('n % 100 + 1')}, ${nth('n % 100 + 1')}, 'public', '${ANN}',
      timestamptz '2026-01-01' + n * interval '1 second', timestamptz '2026-01-01', ${words('n')}
    FROM (SELECT n, 1 + n / 2001 AS bucket FROM generate_series(1, ${MESSAGES}) n) m;
  INSERT INTO search_messages (message_id, space_id, bucket_id, conversation_id, channel_id, scope, author_id, sent_at, version, words)
    SELECT ${nth('n')}, ${nth('n % 1999 + 2')}, bucket, ${nth('1')}, ${nth('1')}, 'public', '${ANN}',
      timestamptz '2026-01-01', timestamptz '2026-01-01', ${words('n')}
    FROM (SELECT n, 51 + n % 1999 AS bucket FROM generate_series(200001, 240000) n) m;
  UPDATE search_buckets SET is_listed = true WHERE id < 50;
  INSERT INTO search_bucket_words (bucket_id, space_id, starts_at, words)
    SELECT b.id, b.space_id, b.starts_at, array_to_tsvector(array_agg(DISTINCT right(b.space_id::text, 8) || split_part(lexeme, ':', 2)))
    FROM search_messages s JOIN search_buckets b ON b.id = s.bucket_id AND b.is_listed, unnest(tsvector_to_array(s.words)) lexeme
    WHERE split_part(lexeme, ':', 2) <> '' GROUP BY b.id;
  INSERT INTO search_spaces (space_id, completed_at) SELECT ${nth('n')}, now() FROM generate_series(1, 2000) n;
  UPDATE search_spaces SET completed_at = NULL WHERE space_id = '${id(1500)}'`;

const base = {
  spaceId: BIG,
  readerId: ANN,
  readsPublic: true,
  channelIds: [],
  conversationId: null,
  authorId: null,
  rootId: null,
  since: '-infinity',
  until: 'infinity',
  untilId: id(0),
  limit: 51,
};
/** Plus what is put in front of it: a bucket is read as a whole. */
const ONE_BUCKET = 2_100;
const searched = (query: string, more: object = {}) => ({
  statement: SEARCH_MESSAGES,
  params: { ...base, query, bucketQueries: query.split(' & '), ...more },
  mayRead: ONE_BUCKET,
});

describePlans(FILL, [
  { ...searched(`'#often'`), mayTouch: 12_000 },
  // In none, one and twenty of fifty buckets. The first call of a function reads some 80 blocks.
  { ...searched(`'#absent'`), mayTouch: 130 },
  { ...searched(`'#u17'`), mayTouch: 150 },
  { ...searched(`'#w17'`), mayTouch: 500 },
  searched(`'#often' & '#u17'`),
  searched(`'#of':*`),
  searched(`'#:c000000000005' & '#often'`, { conversationId: id(5) }),
  searched(`'#often'`, { until: '2026-01-01T02:00:00Z' }),
  searched(`'#often'`, { since: '2026-01-02T02:00:00Z' }),
  searched(`'#often'`, { readsPublic: false, readerId: id(900_000) }),
  searched(`'#often'`, { spaceId: id(1000) }),
  { statement: ADD_WORDS, params: [[BIG], [id(17)]], mayRead: 5_000 },
  { statement: LOCK_INCOMPLETE, params: [] },
  { statement: READ_EARLIER, params: [BIG, id(50_000), 250], unprepared: true },
  { statement: READ_CHANGED, params: [[BIG], [id(50_000)]] },
  { statement: REMOVE_MESSAGES, params: [[BIG], [id(50_000)]] },
  {
    statement: INDEX_MESSAGES,
    params: {
      spaceIds: [BIG, id(1000)],
      messageIds: [id(300_001), id(300_002)],
      conversationIds: [id(1), id(1)],
      channelIds: [id(1), id(1)],
      scopes: ['public', 'public'],
      authorIds: [ANN, ANN],
      rootIds: [null, null],
      sentAts: ['2026-03-01T00:00:00Z', '2026-03-01T00:00:00Z'],
      versions: ['2026-03-01T00:00:00Z', '2026-03-01T00:00:00Z'],
      documents: [`'#often':1`, `'#often':1`],
    },
  },
]);
