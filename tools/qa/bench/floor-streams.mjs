// The floor of the stream rows: bare Fastify and nothing but open responses. POST /fanout writes
// its body, as one event, to every stream.
import Fastify from 'fastify';
import { portOf } from '../receiver.mjs';

const streams = new Set();
const fastify = Fastify();
fastify.get('/stream', (_request, reply) => {
  reply.hijack();
  const { raw } = reply;
  raw.useChunkedEncodingByDefault = false;
  raw.writeHead(200, { 'content-type': 'text/event-stream', connection: 'close' });
  raw.flushHeaders();
  streams.add(raw);
  raw.once('close', () => streams.delete(raw));
});
setInterval(() => {
  for (const stream of streams) stream.write(':ping\n\n');
}, 30_000).unref();
fastify.post('/fanout', async (request) => {
  const frame = Buffer.from(`data: ${JSON.stringify(request.body)}\n\n`);
  for (const stream of streams) stream.write(frame);
  return { ok: true };
});
await fastify.listen({ port: 0, host: '127.0.0.1' });
console.log(JSON.stringify({ port: portOf(fastify.server) }));
