import { describeEntities, describeStatements } from '@tieline/testing';
import * as bots from './accounts/bots.statements.js';
import * as plans from './events/bot-plans.statements.js';
import * as dmInbox from './dm-stream/dm-inbox.statements.js';
import * as pollQueue from './poll/poll-queue.statements.js';
import * as push from './push/push.statements.js';
import { Bot } from './accounts/bot.entity.js';

describeStatements(bots, dmInbox, plans, pollQueue, push);
describeEntities(Bot);
