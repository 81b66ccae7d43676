import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import {
  Answers,
  documentErrors,
  OperatorApi,
  PageQuery,
  RemoteAddress,
  UuidParam,
} from '@tieline/platform/http';
import { createSpace } from './create-space.js';
import { CreateSpaceDto } from './dto/create-space.dto.js';
import { UpdateSpaceDto } from './dto/update-space.dto.js';
import { OperatorReadings } from '../audit-log/operator-readings.js';
import { byOperator } from '../audit-log/record-change.js';
import { listSpaces } from './spaces.queries.js';
import { CreatedSpaceAnswer, SpaceAnswer, SpacesPage, SpaceView } from './spaces.view.js';
import { updateSpace } from './update-space.js';

/** The spaces of this installation, for its operator. */
@Controller('api/v1/operator/spaces')
@OperatorApi()
@ApiTags('operator: spaces')
export class SpacesOperatorController {
  constructor(
    private readonly db: Db,
    private readonly readings: OperatorReadings,
  ) {}

  /** Creates a space and its first owner; the owner's token is only in this response. 201. */
  @Post()
  @ApiOperation({ operationId: 'createSpaceAsOperator', summary: 'Creates a space and its first owner' })
  @Answers(CreatedSpaceAnswer, { status: 201 })
  @documentErrors(400)
  async create(@Body() body: CreateSpaceDto, @RemoteAddress() ip: string): Promise<CreatedSpaceAnswer> {
    const { space, owner, ownerToken } = await createSpace(
      this.db,
      CreateSpaceDto.valuesOf(body),
      byOperator(ip),
    );
    const { id, displayName, role } = owner;
    return {
      ok: true,
      space: SpaceView.of(space),
      owner: { id, display_name: displayName, role },
      owner_token: ownerToken,
    };
  }

  /** Lists all spaces, newest first, by pages. */
  @Get()
  @ApiOperation({ operationId: 'listSpacesAsOperator', summary: 'Lists all spaces, newest first, by pages' })
  @Answers(SpacesPage)
  @documentErrors(400)
  async list(@Query() page: PageQuery, @RemoteAddress() ip: string): Promise<SpacesPage> {
    const { rows, nextCursor } = await listSpaces(this.db, page);
    this.readings.log('spaces', ip);
    return { ok: true, spaces: rows.map((space) => SpaceView.of(space)), next_cursor: nextCursor };
  }

  /** Renames a space, moves it to another plan, disables or enables it. */
  @Patch(':id')
  @ApiOperation({
    operationId: 'updateSpaceAsOperator',
    summary: 'Renames, disables or enables a space, or moves it to another plan',
  })
  @Answers(SpaceAnswer)
  @documentErrors(400, 404)
  async update(
    @UuidParam('id') id: string,
    @Body() body: UpdateSpaceDto,
    @RemoteAddress() ip: string,
  ): Promise<SpaceAnswer> {
    const space = await updateSpace(this.db, id, UpdateSpaceDto.valuesOf(body), byOperator(ip));
    return { ok: true, space: SpaceView.of(space) };
  }
}
