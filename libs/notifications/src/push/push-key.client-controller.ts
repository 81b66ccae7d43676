import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import { Answers, ClientApi, RequiresScope } from '@tieline/platform/http';
import { SecretBox } from '@tieline/signing';
import { PushKeyAnswer } from './push.view.js';
import { vapidKeys } from './vapid-keys.js';

/** The `applicationServerKey` with which browsers subscribe. */
@Controller('api/v1/client/push_key')
@ClientApi()
@RequiresScope('all')
@ApiTags('person: notifications')
export class PushKeyClientController {
  constructor(
    private readonly db: Db,
    private readonly box: SecretBox,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'getPushKeyAsPerson',
    summary: 'Gets the public key that browsers subscribe with',
  })
  @Answers(PushKeyAnswer)
  async get(): Promise<PushKeyAnswer> {
    return { ok: true, public_key: (await vapidKeys(this.db, this.box)).publicKey };
  }
}
