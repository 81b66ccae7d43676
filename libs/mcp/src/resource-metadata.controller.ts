import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { PlatformSettings } from '@tieline/platform/config';
import { Answers, Field, SCOPES } from '@tieline/platform/http';
import { MCP_PATH, METADATA_PATH } from './paths.js';

/** Metadata of the MCP endpoint (RFC 9728). */
class ResourceMetadataAnswer {
  @Field({ example: 'https://tieline.example/mcp', description: 'address of the endpoint' })
  resource: string;

  @Field({ example: 'Tieline' })
  resource_name: string;

  @Field({ example: ['https://tieline.example'], description: 'issuers of tokens: docs/oauth.md' })
  authorization_servers: string[];

  @Field({ example: [...SCOPES], description: 'scopes that a token may have: docs/scopes.md' })
  scopes_supported: readonly string[];

  @Field({ example: ['header'], description: 'tokens are sent in `Authorization`' })
  bearer_methods_supported: string[];
}

/** What clients of the MCP endpoint read after a 401 (docs/mcp.md#tokens). */
@Controller()
@ApiTags('public: mcp')
export class ResourceMetadataController {
  constructor(private readonly settings: PlatformSettings) {}

  /** Returns the address of the MCP endpoint and how to send a token. */
  @Get(METADATA_PATH)
  @ApiOperation({ operationId: 'getMcpMetadata', summary: 'Gets the metadata of the MCP endpoint' })
  @Answers(ResourceMetadataAnswer)
  get(): ResourceMetadataAnswer {
    return {
      resource: `${this.settings.publicUrl}${MCP_PATH}`,
      resource_name: 'Tieline',
      authorization_servers: [this.settings.publicUrl],
      scopes_supported: SCOPES,
      bearer_methods_supported: ['header'],
    };
  }
}
