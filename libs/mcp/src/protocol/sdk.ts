/** The protocol library: 8 MB of heap, loaded with the first request. */
export type Sdk = typeof import('@modelcontextprotocol/server');
