import { Controller, Delete, Param, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import {
  Answers,
  Caller,
  ClientApi,
  documentErrors,
  HasOwnRate,
  OkAnswer,
  RequiresScope,
  UuidParam,
} from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { PersonRates } from '../../access/person-rates.js';
import { invalidEmoji } from '../../conversations.errors.js';
import { reactAsPerson } from '../actions-of-people.js';
import { normalizeEmoji } from './emoji.js';

const OK: OkAnswer = { ok: true };

/** Reactions of people (docs/client-api.md#reactions-and-pins). */
@Controller('api/v1/client/messages/:id/reactions')
@ClientApi()
@RequiresScope('reactions:write')
@HasOwnRate()
@ApiTags('person: messages')
export class ReactionsClientController {
  constructor(
    private readonly db: Db,
    private readonly rates: PersonRates,
  ) {}

  /**
   * Adds a reaction to a message of a conversation that the caller is a member of. Adding it again
   * succeeds and emits no event.
   */
  @Put(':emoji')
  @ApiOperation({ operationId: 'addReactionAsPerson', summary: 'Adds a reaction of the caller to a message' })
  @Answers(OkAnswer)
  @documentErrors(400, 404, 410, 429)
  create(
    @Caller() caller: UserPrincipal,
    @UuidParam('id') messageId: string,
    @Param('emoji') emoji: string,
  ): Promise<OkAnswer> {
    return this.react('add', caller, messageId, emoji);
  }

  /** Removes the caller's reaction. Removing it again succeeds and emits no event. */
  @Delete(':emoji')
  @ApiOperation({ operationId: 'removeReactionAsPerson', summary: "Removes the caller's reaction" })
  @Answers(OkAnswer)
  @documentErrors(400, 404, 410, 429)
  delete(
    @Caller() caller: UserPrincipal,
    @UuidParam('id') messageId: string,
    @Param('emoji') emoji: string,
  ): Promise<OkAnswer> {
    return this.react('remove', caller, messageId, emoji);
  }

  private async react(
    change: 'add' | 'remove',
    caller: UserPrincipal,
    messageId: string,
    text: string,
  ): Promise<OkAnswer> {
    const emoji = normalizeEmoji(text);
    if (emoji === undefined) throw invalidEmoji();
    const { spaceId, userId } = caller;
    await this.rates.charged(caller, () =>
      reactAsPerson(this.db, change, { spaceId, messageId, actor: { id: userId, type: 'user' }, emoji }),
    );
    return OK;
  }
}
