/**
 * The used part of the standard WebSocket interface, which browsers, Deno, Node.js and the package
 * ws implement.
 */
export interface WebSocketLike {
  readonly readyState: number;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: { code: number; reason: string }) => void): void;
  addEventListener(type: 'error', listener: (event: object) => void): void;
}

export type WebSocketClass = new (address: string, protocols: string[]) => WebSocketLike;
