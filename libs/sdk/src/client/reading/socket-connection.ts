import type { Transport } from '../transport.js';
import { TielineError } from '../tieline-error.js';

/** A message of the server (docs/socket.md). */
export type ServerMessage =
  | { type: 'hello'; connection_id: string }
  | { type: 'pong' }
  | { type: 'disconnect'; reason: string }
  | { type: 'error'; envelope_id: string; code: string; error: string }
  | { type: 'told'; envelope_id: string }
  | {
      type: 'event' | 'interaction' | 'command' | 'options';
      envelope_id: string;
      attempt: number;
      payload: unknown;
    };

export interface SocketConnection {
  /** Sends a text. Has no effect unless the connection is open. */
  send(text: string): void;
  /**
   * Resolves when the server closes the connection normally. Rejects when it is refused or lost, or
   * with the signal's reason.
   */
  readonly closed: Promise<void>;
}

interface ConnectionOptions {
  readonly signal: AbortSignal;
  readonly silenceMs: number;
  onMessage(message: ServerMessage): void;
}

const OPEN = 1;
const PING = '{"type":"ping"}';
/** Close codes after which reconnecting does not help, with the equivalent statuses. */
const REFUSALS = new Map([
  [4401, { status: 401, code: 'socket_token', text: 'the token is not valid' }],
  [
    4403,
    { status: 403, code: 'socket_space', text: 'the space is inactive, or the token lacks the scope events' },
  ],
  [4409, { status: 409, code: 'socket_mode', text: "the bot's event_delivery_mode is not poll" }],
]);

/**
 * Opens a connection. Pings it three times per `silenceMs`, because browsers do not expose the
 * server's pings.
 */
export function connectSocket(transport: Transport, options: ConnectionOptions): SocketConnection {
  const { signal, silenceMs, onMessage } = options;
  const socket = transport.openSocket('/api/v1/bot/socket');
  const send = (text: string) => {
    if (socket.readyState === OPEN) socket.send(text);
  };
  const closed = new Promise<void>((resolve, reject) => {
    let heardAt = Date.now();
    const settle = (error?: unknown) => {
      clearInterval(timer);
      signal.removeEventListener('abort', end);
      if (error === undefined) resolve();
      else reject(error as Error);
      socket.close(); // not waited for: the other side may be gone
    };
    const end = () => settle(signal.reason);
    const timer = setInterval(() => {
      if (Date.now() - heardAt >= silenceMs) settle(lost(`no data for ${silenceMs} ms`));
      else send(PING);
    }, silenceMs / 3);
    signal.addEventListener('abort', end, { once: true });
    socket.addEventListener('message', ({ data }) => {
      heardAt = Date.now();
      const message = messageOf(data);
      if (message) onMessage(message);
      else settle(lost('received an invalid message'));
    });
    socket.addEventListener('error', () => undefined); // the close that follows says enough
    socket.addEventListener('close', ({ code, reason }) => settle(errorOfClose(code, reason)));
  });
  return { send, closed };
}

/** Parses a message. Returns undefined if it is invalid. */
function messageOf(data: unknown): ServerMessage | undefined {
  try {
    const message = JSON.parse(String(data)) as ServerMessage | null;
    return typeof message?.type === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the error of a close code, or undefined for a normal close: the server shuts down, and
 * another process takes over.
 */
function errorOfClose(code: number, reason: string): TielineError | undefined {
  if (code === 1000 || code === 1001) return undefined;
  const refusal = REFUSALS.get(code);
  if (!refusal) return lost(`closed with ${code}${reason ? ` (${reason})` : ''}`);
  const { status, code: name, text } = refusal;
  return new TielineError(`the socket was refused: ${text}`, { status, code: name });
}

function lost(text: string): TielineError {
  return new TielineError(`the socket was lost: ${text}`, { status: 0, code: 'network_error' });
}
