import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { BotDirectory } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import { invalidToken, TokenResolvers } from '@tieline/platform/http';
import type { BotPrincipal, Scope } from '@tieline/platform/http';
import { hashToken } from '@tieline/signing';
import { capabilityGone } from '../execution-tasks.errors.js';
import { FIND_CAPABILITY } from '../execution-tasks.statements.js';
import type { TaskAction } from '../states/execution-task.states.js';
import { CAPABILITY_PREFIX } from './capability-token.js';

const TASKS_ONLY: ReadonlySet<Scope> = new Set(['tasks']);

/** Permissions of a capability, and the bot it acts for. */
export interface Capability {
  bot: BotPrincipal;
  widgetId: string;
  allowedActions: readonly TaskAction[];
}

/** Resolves `tlc_` tokens to a task and its bot. */
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
    return { ...capability, bot: { kind: 'bot', botId, spaceId, channelIds: [], scopes: TASKS_ONLY } };
  }
}
