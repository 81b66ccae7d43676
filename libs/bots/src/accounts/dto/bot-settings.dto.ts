import { BodyExample } from '@tieline/platform/http';
import { bodyOf } from '@tieline/platform/resource';
import { BOT } from '../bot.js';

/** Body of PATCH /bot/me. Absent and null fields keep their values. */
@BodyExample('events by polling', { event_delivery_mode: 'poll' })
export class UpdateBotSelfDto extends bodyOf(BOT, 'self') {}

/** Body of PATCH /admin/bots/{id}. Absent and null fields keep their values. */
@BodyExample('events by polling', { event_delivery_mode: 'poll' })
export class UpdateBotDto extends bodyOf(BOT, 'update') {}

/** Body of POST /admin/bots. */
@BodyExample('a bot', { display_name: 'Deploy bot' })
export class CreateBotDto extends bodyOf(BOT, 'create') {}
