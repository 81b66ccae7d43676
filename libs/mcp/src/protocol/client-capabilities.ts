import type { ClientCapabilities, ServerContext } from '@modelcontextprotocol/server';

/** Key of a request's `_meta` with the capabilities of its client. */
export const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/** Returns what the client of a request can do. Clients of 2025 say nothing. */
export const capabilitiesOf = ({ mcpReq }: ServerContext): ClientCapabilities =>
  (mcpReq.envelope as { [CLIENT_CAPABILITIES]?: ClientCapabilities } | undefined)?.[CLIENT_CAPABILITIES] ??
  {};
