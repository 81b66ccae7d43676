import { eventually } from '@tieline/testing';
import { WebSocket } from 'ws';

type Message = Record<string, any>;

/** The bot's end of a socket. */
export class SocketClient {
  readonly messages: Message[] = [];
  closed: { code: number; reason: string } | undefined;
  pings = 0;

  private constructor(readonly ws: WebSocket) {
    ws.on('message', (data: Buffer) => this.messages.push(JSON.parse(data.toString()) as Message));
    ws.on('ping', () => (this.pings += 1));
    ws.on('close', (code, reason) => (this.closed = { code, reason: reason.toString() }));
    ws.on('error', () => undefined);
  }

  /**
   * Opens a socket.
   * @throws `{status, body}` if it was refused
   */
  static open(
    url: string,
    token: string | undefined,
    protocols: string[] = [],
    options = {},
  ): Promise<SocketClient> {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const address = `${url.replace('http', 'ws')}/api/v1/bot/socket`;
    return SocketClient.openAt(address, protocols, { headers, ...options });
  }

  /** Opens a socket at an address that needs no token. */
  static openAt(address: string, protocols: string[] = [], options = {}): Promise<SocketClient> {
    const client = new SocketClient(new WebSocket(address, protocols, options));
    return new Promise((resolve, reject) => {
      client.ws.once('open', () => resolve(client));
      client.ws.once('unexpected-response', (_request, response) => {
        let body = '';
        response.on('data', (part: Buffer) => (body += part.toString()));
        response.on('end', () =>
          reject(
            Object.assign(new Error(body), {
              status: response.statusCode,
              body: JSON.parse(body) as Message,
            }),
          ),
        );
      });
    });
  }

  get hello(): Message | undefined {
    return this.messages[0];
  }

  /** All messages except hello and `told`. */
  get envelopes(): Message[] {
    return this.messages.filter(({ type, envelope_id: id }) => id !== undefined && type !== 'told');
  }

  /** Texts of message events. */
  get texts(): string[] {
    return this.envelopes.map(({ payload }) => payload?.data?.text as string);
  }

  async until(check: (client: this) => unknown, timeoutMs?: number): Promise<void> {
    await eventually(() => Boolean(check(this)), timeoutMs === undefined ? undefined : { timeoutMs });
  }

  /**
   * Waits for this many envelopes.
   * @returns the last of them
   */
  async got(count: number): Promise<Message> {
    await this.until(({ envelopes }) => envelopes.length >= count);
    return this.envelopes[count - 1] as Message;
  }

  acknowledge(envelopeId: unknown, answer?: unknown): void {
    this.ws.send(JSON.stringify({ envelope_id: envelopeId, ...(answer !== undefined && { answer }) }));
  }

  /** Answers the person and keeps the envelope. */
  later(envelopeId: unknown, answer?: unknown): void {
    this.ws.send(
      JSON.stringify({ envelope_id: envelopeId, later: true, ...(answer !== undefined && { answer }) }),
    );
  }

  /** Acknowledges every later envelope with the result of `answer`. */
  acknowledgeAll(answer: (envelope: Message) => unknown = () => undefined): this {
    this.ws.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as Message;
      if (message.envelope_id !== undefined && !['error', 'told'].includes(message.type as string))
        this.acknowledge(message.envelope_id, answer(message));
    });
    return this;
  }

  close(): void {
    this.ws.close();
  }
}
