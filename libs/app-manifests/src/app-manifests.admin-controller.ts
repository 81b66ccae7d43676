import { Body, Controller, Get, Post, Put, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import { AdminApi, Answers, Caller, documentErrors, UuidParam } from '@tieline/platform/http';
import type { AdminPrincipal } from '@tieline/platform/http';
import { Acting } from '@tieline/spaces';
import type { ActingAdmin } from '@tieline/spaces';
import type { FastifyReply } from 'fastify';
import { CreateFromManifest } from './create-from-manifest.js';
import { ManifestRequestDto } from './dto/manifest-request.dto.js';
import { exportManifest } from './export-manifest.js';
import { createdAnswer, CreatedFromManifestAnswer, ManifestAnswer } from './manifest.view.js';
import { UpdateFromManifest } from './update-from-manifest.js';
import { updatedAnswer, UpdatedFromManifestAnswer } from './updated-from-manifest.view.js';
import { readManifest } from './read-manifest.js';

/** Apps as manifests (docs/app-manifests.md). */
@Controller('api/v1/admin/apps')
@AdminApi()
@ApiTags('admin: apps')
export class AppManifestsAdminController {
  constructor(
    private readonly db: Db,
    private readonly createFromManifest: CreateFromManifest,
    private readonly updateFromManifest: UpdateFromManifest,
  ) {}

  /**
   * Creates an app from Tieline's or Slack's manifest and installs it in the space, in one
   * transaction. The response (201) is the only one that contains the secrets. With `dry_run`, it
   * is 200 and nothing is created.
   */
  @Post('manifest')
  @ApiOperation({
    operationId: 'createAppFromManifestAsAdmin',
    summary: 'Creates an app with its bot, commands and interactive configuration from a manifest',
  })
  @Answers(CreatedFromManifestAnswer, { status: 201 })
  @Answers(CreatedFromManifestAnswer, { description: 'a dry run' })
  @documentErrors(400, 402, 409)
  async create(
    @Acting() admin: ActingAdmin,
    @Body() { manifest: given, dry_run: isDryRun }: ManifestRequestDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CreatedFromManifestAnswer> {
    const { manifest, warnings } = readManifest(given);
    const created = await this.createFromManifest.run(admin, manifest, isDryRun === true);
    void reply.status(isDryRun === true ? 200 : 201);
    return createdAnswer(created, warnings, isDryRun === true);
  }

  /**
   * Makes an app equal to a manifest, with its bot, commands and shortcuts in its own space, in one
   * transaction. Fields that the manifest lacks get their defaults. The response is the only one
   * that contains the secrets of new parts. With `dry_run` nothing is changed.
   */
  @Put(':id/manifest')
  @ApiOperation({
    operationId: 'updateAppFromManifestAsAdmin',
    summary: 'Changes an app as a manifest says, or shows the difference',
  })
  @Answers(UpdatedFromManifestAnswer)
  @documentErrors(400, 402, 404, 409)
  async update(
    @Acting() admin: ActingAdmin,
    @UuidParam('id') id: string,
    @Body() { manifest: given, dry_run }: ManifestRequestDto,
  ): Promise<UpdatedFromManifestAnswer> {
    const { manifest, warnings } = readManifest(given);
    const isDryRun = dry_run === true;
    const updated = await this.updateFromManifest.run(admin, id, { manifest, isDryRun });
    return updatedAnswer(updated, warnings, isDryRun);
  }

  /** Returns an app in Tieline's format. The result creates an equal app. */
  @Get(':id/manifest')
  @ApiOperation({ operationId: 'getAppManifestAsAdmin', summary: 'Exports an app as a manifest' })
  @Answers(ManifestAnswer)
  @documentErrors(404)
  async get(@Caller() { spaceId }: AdminPrincipal, @UuidParam('id') id: string): Promise<ManifestAnswer> {
    return { ok: true, manifest: await exportManifest(this.db, spaceId, id) };
  }
}
