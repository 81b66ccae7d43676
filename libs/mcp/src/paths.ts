/** Path of the MCP endpoint. */
export const MCP_PATH = '/mcp';
/** Path of the endpoint's metadata (RFC 9728). */
export const METADATA_PATH = '/.well-known/oauth-protected-resource/mcp';
