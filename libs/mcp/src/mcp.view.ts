import { ApiProperty } from '@nestjs/swagger';
import { Field } from '@tieline/platform/http';

/** A response of JSON-RPC 2.0. */
export class McpAnswer {
  @Field({ enum: ['2.0'] })
  jsonrpc: '2.0';

  @ApiProperty({
    oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }],
    description: 'that of the request',
    example: 1,
  })
  id: string | number | null;

  @Field({ example: { tools: [] }, description: 'as the MCP method defines it', optional: true })
  result?: Record<string, unknown>;

  @Field({
    example: { code: -32602, message: 'Unknown tool: x' },
    description: '`code`, `message` and `data` of JSON-RPC, instead of `result`',
    optional: true,
  })
  error?: Record<string, unknown>;
}
