import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fastify } from 'fastify';
import type { FastifyInstance } from 'fastify';
import { AnswerFaults } from './answer-faults.js';
import { checkAnswers } from './check-answers.js';

const faults = new AnswerFaults();
const schema = { type: 'object', required: ['ok'], properties: { ok: { type: 'boolean' } } };
const DOCUMENT = {
  paths: {
    '/honest': { get: { responses: { 200: answer() } } },
    '/lying': { get: { responses: { 200: answer() } } },
  },
  components: { schemas: { OkAnswer: schema } },
};

function answer(): object {
  return { content: { 'application/json': { schema: { $ref: '#/components/schemas/OkAnswer' } } } };
}

let release: () => void;
let server: FastifyInstance;
let url: string;
beforeAll(async () => {
  release = checkAnswers(faults);
  server = fastify();
  server.get('/honest', () => ({ ok: true }));
  server.get('/lying', () => ({ ok: true, more: 1 }));
  server.get('/api/openapi.json', () => DOCUMENT);
  url = await server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  release();
  await server.close();
});

/** @returns the faults that the check of this run recorded, which would otherwise fail the test */
async function lie(): Promise<string[]> {
  await fetch(`${url}/lying`);
  return AnswerFaults.ofThisTest().take();
}

test('a response that contradicts the document is a fault', async () => {
  await fetch(`${url}/honest`);
  expect(faults.take()).toEqual([]);
  await lie();
  expect(faults.take()).toEqual([expect.stringContaining('GET /lying answered 200 {"ok":true,"more":1}')]);
  expect(faults.take()).toEqual([]);
});

test('the check of this test run is active', async () => {
  expect(await lie()).toEqual([expect.stringContaining('GET /lying')]);
});

test('a server without a document is not checked', async () => {
  const other = fastify();
  other.get('/lying', () => ({ more: 1 }));
  await other.inject('/lying');
  expect(AnswerFaults.ofThisTest().take()).toEqual([]);
  await other.close();
});

test('a garbage collection between two checks separates neither from Fastify', async () => {
  const module = new URL('../../dist/answers/check-answers.js', import.meta.url).href;
  const program = `
    import { setImmediate, setTimeout } from 'node:timers/promises';
    const { checkAnswers } = await import(${JSON.stringify(module)});
    checkAnswers({})();
    await setImmediate();
    gc();
    const found = [];
    checkAnswers({ add: (fault) => found.push('first: ' + fault) });
    await setTimeout(100); // Node forgets collected channels some time after the collection
    const { fastify } = await import('fastify');
    checkAnswers({ add: (fault) => found.push('second: ' + fault) });
    const server = fastify();
    server.get('/lying', () => ({ more: 1 }));
    server.get('/api/openapi.json', () => ({ paths: {} }));
    await server.inject('/lying');
    console.log(found.map((fault) => fault.split(' ').slice(0, 3).join(' ')).join());`;
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['--expose-gc', '--input-type=module', '-e', program]);
  expect(stdout.trim()).toBe('first: GET /lying,second: GET /lying');
});
