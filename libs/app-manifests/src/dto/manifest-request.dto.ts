import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { BodyExample, Check, IsRequired } from '@tieline/platform/http';
import { IsBoolean, IsOptional } from 'class-validator';
import type { Json } from '../converted-manifest.js';
import { mustBeObject } from '../manifests.errors.js';
import { isObject, ManifestDto } from './manifest.dto.js';

const SLACK = {
  type: 'object',
  title: 'SlackManifest',
  properties: { display_information: { type: 'object', additionalProperties: true } },
  required: ['display_information'],
  additionalProperties: true,
  description: "Slack's manifest of an app, as JSON",
};

/** Body of POST /admin/apps/manifest. */
@ApiExtraModels(ManifestDto)
@BodyExample('an app with a command', {
  manifest: {
    name: 'Deploys',
    bot_scopes: ['commands', 'messages:write'],
    commands: [{ name: 'deploy', callback_url: 'https://example.com/slash' }],
  },
})
export class ManifestRequestDto {
  @ApiProperty({ oneOf: [{ $ref: getSchemaPath(ManifestDto) }, SLACK] })
  @Check((value) => (isObject(value) ? undefined : mustBeObject('manifest')))
  @IsRequired()
  manifest: Json;

  @ApiPropertyOptional({
    type: Boolean,
    default: false,
    description: 'true: nothing is created; the response says what would be',
  })
  @IsBoolean()
  @IsOptional()
  dry_run?: boolean | null;
}
