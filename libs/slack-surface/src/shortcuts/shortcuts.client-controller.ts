import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PersonRates } from '@tieline/conversations';
import { ListedShortcutsAnswer, listedShortcutsAnswer, shortcutsOfSpace } from '@tieline/interactive';
import { Db } from '@tieline/platform/database';
import {
  Answers,
  bodyReader,
  Caller,
  ClientApi,
  documentErrors,
  HasOwnRate,
  OkAnswer,
  RequiresScope,
  UuidParam,
} from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { UseShortcutDto } from './dto/use-shortcut.dto.js';
import { UseShortcut } from './use-shortcut.js';

const readUse = bodyReader(UseShortcutDto);

/** Shortcuts of bots in people's clients (docs/slack-apps.md#shortcuts). */
@Controller('api/v1/client/shortcuts')
@ClientApi()
@RequiresScope('interactive')
@HasOwnRate()
@ApiTags('person: interactive components')
export class ShortcutsClientController {
  constructor(
    private readonly db: Db,
    private readonly rates: PersonRates,
    private readonly useShortcut: UseShortcut,
  ) {}

  /** Of active bots, by name, up to 500. */
  @Get()
  @ApiOperation({ operationId: 'listShortcutsAsPerson', summary: 'Lists shortcuts of the bots of the space' })
  @Answers(ListedShortcutsAnswer)
  async list(@Caller() { spaceId }: UserPrincipal): Promise<ListedShortcutsAnswer> {
    return listedShortcutsAnswer(await shortcutsOfSpace(this.db, spaceId));
  }

  /** Sends the shortcut to its app, and waits up to 3 seconds until the app acknowledges it. */
  @Post(':id')
  @ApiOperation({ operationId: 'invokeShortcutAsPerson', summary: 'Uses a shortcut of a bot' })
  @HttpCode(200)
  @ApiBody({ type: UseShortcutDto, required: false })
  @Answers(OkAnswer)
  @documentErrors(400, 403, 404, 410, 413, 429, 503)
  async use(
    @Caller() user: UserPrincipal,
    @UuidParam('id') id: string,
    @Body() body: object | undefined,
  ): Promise<OkAnswer> {
    const { message_id: messageId } = readUse(body ?? {});
    await this.rates.charged(user, () => this.useShortcut.run(user, id, messageId ?? undefined));
    return { ok: true };
  }
}
