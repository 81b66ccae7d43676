import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import { AdminApi, Answers, Caller, documentErrors, PageQuery } from '@tieline/platform/http';
import type { AdminPrincipal } from '@tieline/platform/http';
import { Acting } from '@tieline/spaces';
import type { ActingAdmin } from '@tieline/spaces';
import { @Noun@Answer, @Nouns@Page, @Noun@View } from './@noun-@.view.js';
import { list@Nouns@ } from './@nouns@.queries.js';
import { Create@Noun@ } from './create-@noun-@.js';
import { Create@Noun@Dto } from './dto/create-@noun-@.dto.js';

/** The @nouns@ of a space. */
@Controller('api/v1/admin/@nouns_@')
@AdminApi()
@ApiTags('admin: @nouns@')
export class @Nouns@AdminController {
  constructor(
    private readonly db: Db,
    private readonly create@Noun@: Create@Noun@,
  ) {}

  @Post()
  @ApiOperation({ operationId: 'create@Noun@AsAdmin', summary: 'Creates a @noun-@' })
  @Answers(@Noun@Answer, { status: 201 })
  @documentErrors(400)
  async create(
    @Acting() { spaceId, origin }: ActingAdmin,
    @Body() body: Create@Noun@Dto,
  ): Promise<@Noun@Answer> {
    const @noun@ = await this.create@Noun@.run(spaceId, Create@Noun@Dto.valuesOf(body), origin);
    return { ok: true, @noun_@: @Noun@View.of(@noun@) };
  }

  @Get()
  @ApiOperation({ operationId: 'list@Nouns@AsAdmin', summary: 'Lists the @nouns@, newest first, by pages' })
  @Answers(@Nouns@Page)
  @documentErrors(400)
  async list(@Caller() caller: AdminPrincipal, @Query() page: PageQuery): Promise<@Nouns@Page> {
    const { rows, nextCursor } = await list@Nouns@(this.db, caller.spaceId, page);
    return { ok: true, @nouns_@: rows.map(@Noun@View.of), next_cursor: nextCursor };
  }
}
