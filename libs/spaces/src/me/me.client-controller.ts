import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import { Answers, Caller, ClientApi, documentErrors, hasScope, RequiresScope } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { Acting } from '../audit-log/acting.js';
import type { ActingUser } from '../audit-log/acting.js';
import { UpdateMeDto } from './dto/update-me.dto.js';
import { parseInstant } from './instant.js';
import { updateMe } from './update-me.js';
import type { OwnChanges } from './update-me.js';
import { findUser } from '../users/users.queries.js';
import { MeAnswer, ownUserView } from '../users/users.view.js';

/** The profile of the caller. */
@Controller('api/v1/client/me')
@ClientApi()
@ApiTags('person: me')
export class MeClientController {
  constructor(private readonly db: Db) {}

  /**
   * Returns the caller, with their notification settings; without the scope `users:read.email`, the
   * e-mail address is empty.
   */
  @Get()
  @RequiresScope('none')
  @ApiOperation({
    operationId: 'getMeAsPerson',
    summary: 'Gets the caller, with their notification settings',
  })
  @Answers(MeAnswer)
  async get(@Caller() { spaceId, userId, scopes }: UserPrincipal): Promise<MeAnswer> {
    const user = ownUserView(await findUser(this.db, spaceId, userId));
    return { ok: true, user: hasScope(scopes, 'users:read.email') ? user : { ...user, email: '' } };
  }

  /**
   * Changes the caller's name, do-not-disturb and quiet hours; a null in `notifications` clears.
   */
  @Patch()
  @RequiresScope('all')
  @ApiOperation({
    operationId: 'updateMeAsPerson',
    summary: "Changes the caller's name, do-not-disturb and quiet hours",
  })
  @Answers(MeAnswer)
  @documentErrors(400)
  async update(@Acting() caller: ActingUser, @Body() body: UpdateMeDto): Promise<MeAnswer> {
    return { ok: true, user: ownUserView(await updateMe(this.db, caller, wantedBy(body))) };
  }
}

function wantedBy(body: UpdateMeDto): OwnChanges {
  const { dnd_until: until, quiet_hours: hours } = body.notifications ?? {};
  return {
    ...UpdateMeDto.valuesOf(body),
    dndUntil: typeof until === 'string' ? parseInstant(until) : until,
    quietHours: hours && { start: hours.start, end: hours.end, timeZone: hours.time_zone },
  };
}
