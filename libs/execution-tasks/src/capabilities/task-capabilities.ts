import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { BotDirectory } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import { invalidToken, TokenResolvers } from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import { hashToken } from '@tieline/signing';
import { capabilityGone } from '../execution-tasks.errors.js';
import { FIND_CAPABILITY } from '../execution-tasks.statements.js';
import type { TaskAction } from '../states/execution-task.states.js';
import { CAPABILITY_PREFIX } from './capability-token.js';

/** What the holder of a capability may do, and in whose name. */
export interface Capability {
  bot: BotPrincipal;
  widgetId: string;
  allowedActions: readonly TaskAction[];
}

/** Tells which task and bot a `tlc_` token speaks for. */
@Injectable()
export class TaskCapabilities implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly bots: BotDirectory,
    private readonly resolvers: TokenResolvers,
  ) {}

  onModuleInit(): void {
    this.resolvers.register(CAPABILITY_PREFIX, async (token) => ({ kind: 'capability', token }));
  }

  /**
   * @throws 410 unknown or expired; 401 its bot is disabled or deleted, or the space is inactive
   */
  async require(token: string): Promise<Capability> {
    const [found] = await this.db.query(FIND_CAPABILITY, [hashToken(token)]);
    if (!found) throw capabilityGone();
    const { spaceId, botId, isSpaceActive, ...capability } = found;
    const [active] = isSpaceActive ? await this.bots.findActive(this.db, spaceId, [botId]) : [];
    if (active === undefined) throw invalidToken();
    return { ...capability, bot: { kind: 'bot', botId, spaceId, channelIds: [] } };
  }
}
