import { describeClaims, describeEntities, describeStatements } from '@tieline/testing';
import * as bots from './accounts/bots.statements.js';
import * as callbacks from './callbacks/callbacks.statements.js';
import * as plans from './events/bot-plans.statements.js';
import * as dmInbox from './dm-stream/dm-inbox.statements.js';
import * as dmOpenings from './dm/opened/dm-openings.statements.js';
import * as pollQueue from './poll/poll-queue.statements.js';
import * as sentEvents from './poll/events/sent-events.statements.js';
import * as envelopes from './socket/envelopes.statements.js';
import * as sockets from './socket/sockets.statements.js';
import * as tickets from './socket/tickets/tickets.statements.js';
import * as peopleReaders from './people/people-readers.statements.js';
import * as answerWaits from './socket/answers/answer-waits.statements.js';
import * as push from './push/push.statements.js';
import { Bot } from './accounts/bot.entity.js';

describeStatements(
  answerWaits,
  bots,
  callbacks,
  dmInbox,
  dmOpenings,
  envelopes,
  peopleReaders,
  plans,
  pollQueue,
  push,
  sentEvents,
  sockets,
  tickets,
);
describeEntities(Bot);

describeClaims({
  statement: dmInbox.EXPIRE_DMS,
  params: [1],
  fill: `INSERT INTO dm_inbox (space_id, bot_id, conversation_id, message_id, event_id, created_at)
    SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), now() - interval '2 hours'
      FROM generate_series(1, ${dmInbox.TIDIED_BATCH + 50})`,
  waiting: 'SELECT 1 FROM dm_inbox',
  takes: dmInbox.TIDIED_BATCH,
});

describeClaims({
  statement: envelopes.EXPIRE_ENVELOPES,
  params: ['1000000', 5000],
  fill: `INSERT INTO socket_envelopes (space_id, bot_id, record_id, is_urgent, state)
    SELECT gen_random_uuid(), gen_random_uuid(), n, false, 'sent' FROM generate_series(1, 5050) n`,
  waiting: 'SELECT 1 FROM socket_envelopes',
  takes: 5000,
});
