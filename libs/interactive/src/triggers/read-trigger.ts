import { Injectable } from '@nestjs/common';
import { Db } from '@tieline/platform/database';
import { isUuid } from '@tieline/platform/http';
import { triggerExpired, triggerNotFound, triggerOfAnotherBot } from '../interactive.errors.js';
import { CommandCallbacks } from '../modals/command-callbacks.js';
import type { CommandTrigger } from '../modals/command-callbacks.js';
import { TriggerIds } from './trigger-ids.js';
import type { ReadTrigger } from './trigger-ids.js';

/** What a person did, for opening a modal. A command has its id besides. */
export type UsableTrigger = (ReadTrigger & { commandId?: undefined }) | CommandTrigger;

/** Reads the trigger ids that bots send. */
@Injectable()
export class ReadTriggers {
  constructor(
    private readonly db: Db,
    private readonly triggers: TriggerIds,
    private readonly commands: CommandCallbacks,
  ) {}

  /**
   * Returns a trigger of the bot that has not expired. Whether it has opened a modal already is
   * decided when it opens one.
   * @throws 404 unknown. 403 another bot's. 410 expired.
   */
  async require(
    { spaceId, botId }: { spaceId: string; botId: string },
    triggerId: string,
  ): Promise<UsableTrigger> {
    const trigger = isUuid(triggerId)
      ? await this.commands.findTrigger(this.db, { spaceId, triggerId })
      : this.triggers.read(spaceId, triggerId);
    if (!trigger) throw triggerNotFound();
    if (trigger.botId !== botId) throw triggerOfAnotherBot();
    if (trigger.expiresAt <= Date.now()) throw triggerExpired();
    return trigger;
  }
}
