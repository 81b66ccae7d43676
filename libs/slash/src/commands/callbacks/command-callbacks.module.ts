import { Global, Injectable, Module } from '@nestjs/common';
import { CommandCallbacks } from '@tieline/interactive';
import type { CommandTrigger } from '@tieline/interactive';
import type { Queryable } from '@tieline/platform/database';
import { SecretBox, SigningModule } from '@tieline/signing';
import { openCommandSecrets } from './command-secret.js';
import { FIND_TRIGGER } from '../../triggers/slash-triggers.statements.js';
import { findCommandCallback } from '../slash-commands.queries.js';

@Injectable()
class RegisteredCallbacks extends CommandCallbacks {
  constructor(private readonly box: SecretBox) {
    super();
  }

  async find(
    q: Queryable,
    { spaceId, commandId }: { spaceId: string; commandId: string },
  ): Promise<{ url: string; secret: string; previousSecret?: string } | undefined> {
    const command = await findCommandCallback(q, spaceId, commandId);
    if (!command || command.callbackUrl === '') return undefined;
    return { url: command.callbackUrl, ...openCommandSecrets(this.box, command) };
  }

  async findTrigger(
    q: Queryable,
    { spaceId, triggerId }: { spaceId: string; triggerId: string },
  ): Promise<CommandTrigger | undefined> {
    const [row] = await q.query(FIND_TRIGGER, [spaceId, triggerId]);
    return row && { ...row, id: triggerId.toLowerCase(), messageId: null };
  }
}

/**
 * Global because it provides the port `CommandCallbacks` of `@tieline/interactive`, which cannot
 * import this lib.
 */
@Global()
@Module({
  imports: [SigningModule],
  providers: [{ provide: CommandCallbacks, useClass: RegisteredCallbacks }],
  exports: [CommandCallbacks],
})
export class CommandCallbacksModule {}
