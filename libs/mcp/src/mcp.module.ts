import { Module } from '@nestjs/common';
import { HttpModule, RestApi } from '@tieline/platform/http';
import { AddressGuard } from './address.guard.js';
import { Challenge } from './challenge.js';
import { McpController } from './mcp.controller.js';
import { McpEndpoint } from './protocol/mcp-endpoint.js';
import { ResourceMetadataController } from './resource-metadata.controller.js';
import { Resources } from './resources/resources.js';
import { Operations } from './rest/operations.js';
import { ApprovalTasks } from './tasks/approval-tasks.js';
import { ToolCalls } from './tools/tool-calls.js';

/** The Model Context Protocol, on the REST API of the same process. */
@Module({
  imports: [HttpModule],
  controllers: [McpController, ResourceMetadataController],
  providers: [AddressGuard, ApprovalTasks, Challenge, McpEndpoint, Operations, Resources, RestApi, ToolCalls],
})
export class McpModule {}
