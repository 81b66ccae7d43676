import { Controller, Delete, Get, Put } from '@nestjs/common';
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
import { pinAsPerson } from '../actions-of-people.js';
import { PinsAnswer } from '../message.view.js';
import { ShownMessages } from '../history/shown-messages.js';
import { PinMessage } from './pin-message.js';
import { listPins } from './pins.queries.js';

const OK: OkAnswer = { ok: true };

/** Pins of people (docs/client-api.md#reactions-and-pins). */
@Controller('api/v1/client')
@ClientApi()
@RequiresScope('messages:write')
@HasOwnRate()
@ApiTags('person: messages')
export class PinsClientController {
  constructor(
    private readonly db: Db,
    private readonly pinMessage: PinMessage,
    private readonly shown: ShownMessages,
    private readonly rates: PersonRates,
  ) {}

  /**
   * Pins a message of a conversation that the caller is a member of. A conversation has at most 100
   * pins, otherwise 409. Pinning again succeeds and emits no event.
   */
  @Put('messages/:id/pin')
  @ApiOperation({
    operationId: 'pinMessageAsPerson',
    summary: 'Pins a message for everyone in its conversation',
  })
  @Answers(OkAnswer)
  @documentErrors(404, 409, 410, 429)
  async pin(@Caller() caller: UserPrincipal, @UuidParam('id') messageId: string): Promise<OkAnswer> {
    return this.change('pin', caller, messageId);
  }

  /** Unpins a message, no matter who pinned it. Unpinning again succeeds and emits no event. */
  @Delete('messages/:id/pin')
  @ApiOperation({ operationId: 'unpinMessageAsPerson', summary: 'Unpins a message, as a person' })
  @Answers(OkAnswer)
  @documentErrors(404, 410, 429)
  async unpin(@Caller() caller: UserPrincipal, @UuidParam('id') messageId: string): Promise<OkAnswer> {
    return this.change('unpin', caller, messageId);
  }

  /** Lists the pinned messages of a conversation that the caller can read, latest pin first. */
  @Get('conversations/:id/pins')
  @RequiresScope('messages:read')
  @ApiOperation({ operationId: 'listPinsAsPerson', summary: 'Lists pinned messages, as a person' })
  @Answers(PinsAnswer)
  @documentErrors(404)
  async list(@Caller() caller: UserPrincipal, @UuidParam('id') id: string): Promise<PinsAnswer> {
    return { ok: true, pins: await listPins(this.db, this.shown, caller, id) };
  }

  private async change(change: 'pin' | 'unpin', caller: UserPrincipal, messageId: string): Promise<OkAnswer> {
    const { spaceId, userId } = caller;
    const pinning = { spaceId, messageId, actor: { id: userId, type: 'user' as const } };
    await this.rates.charged(caller, () => pinAsPerson(this.db, this.pinMessage, change, pinning));
    return OK;
  }
}
