import { once } from 'node:events';
import net from 'node:net';
import { policedConnector } from './connector.js';
import { AddressNotAllowedError, EgressPolicy } from './egress-policy.js';

let server: net.Server;
let port: string;
let connections = 0;

beforeAll(async () => {
  server = net.createServer((socket) => {
    connections++;
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = String((server.address() as net.AddressInfo).port);
});

afterAll(() => void server.close());

function connect(
  hostname: string,
  allowedCidrs: string[],
  answers: string[] = [],
): Promise<Error | 'connected'> {
  const policy = new EgressPolicy({ allowHttp: true, allowedCidrs, resolve: () => Promise.resolve(answers) });
  const connector = policedConnector(policy, { connectTimeoutMs: 60_000 });
  return new Promise((resolve) => {
    connector({ hostname, host: `${hostname}:${port}`, protocol: 'http:', port }, (error, socket) => {
      socket?.destroy();
      resolve(error ?? 'connected');
    });
  });
}

// The socket does no lookup for an IP literal, so a check in name resolution alone would miss
// these.
it.each(['127.0.0.1', '::ffff:127.0.0.1'])('checks the IP literal %s itself', async (literal) => {
  expect(await connect(literal, [])).toBeInstanceOf(AddressNotAllowedError);
  expect(connections).toBe(0);
});

it.each([[['127.0.0.1']], [['8.8.8.8', '127.0.0.1']]])(
  'checks every address of a name: %j',
  async (answers) => {
    expect(await connect('receiver.example', [], answers)).toBeInstanceOf(AddressNotAllowedError);
    expect(connections).toBe(0);
  },
);

it('connects if allowed', async () => {
  expect(await connect('receiver.example', ['127.0.0.1'], ['127.0.0.1'])).toBe('connected');
});
