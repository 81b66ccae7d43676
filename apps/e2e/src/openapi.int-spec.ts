import { Tieline } from './tieline.js';

interface Operation {
  summary?: string;
  responses: Record<
    string,
    { content?: Record<string, { example?: unknown; schema?: { example?: unknown; $ref?: string } }> }
  >;
  parameters?: { name: string; in: string; required?: boolean }[];
}

let tieline: Tieline;
let operations: [string, Operation][];
let output: string;

beforeAll(async () => {
  tieline = await Tieline.create();
  const api = await tieline.start('api');
  const document = (await (await fetch(`${api.url}/api/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Operation>>;
  };
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      one,
    ]),
  );
  output = api.output();
});
afterAll(() => tieline?.close());

const ofContract = (): [string, Operation][] => operations.filter(([name]) => name.includes('/api/v1/'));

test('every endpoint is in the document, with a summary', () => {
  const names = operations.map(([name]) => name);
  for (const expected of [
    'POST /api/v1/bot/messages',
    'PATCH /api/v1/bot/messages/{message_id}',
    'GET /api/v1/bot/me',
    'POST /api/v1/bot/dm',
    'POST /api/v1/bot/conversations/{id}/join',
    'GET /api/v1/channels/{conversation_id}/messages',
    'POST /api/v1/operator/spaces',
    'POST /api/v1/admin/bots',
    'POST /api/v1/admin/outgoing_webhooks',
    'POST /api/v1/admin/deliveries/{id}/redeliver',
    'GET /api/v1/admin/audit_log',
    'GET /api/v1/client/stream',
    'PUT /api/v1/client/focus',
    'GET /health/ready',
    'GET /metrics',
  ])
    expect(names).toContain(expected);
  expect(
    ofContract()
      .filter(([, one]) => !one.summary)
      .map(([name]) => name),
  ).toEqual([]);
});

test('every endpoint of the contract describes its answer and its errors, each with an example', () => {
  const lacking = ofContract().flatMap(([name, { responses }]) => {
    const codes = Object.keys(responses);
    const hasBoth = codes.some((code) => code.startsWith('2')) && codes.includes('401');
    const bare = codes.filter((code) =>
      Object.values(responses[code]?.content ?? { none: {} }).some(
        (content) => content.example === undefined && content.schema?.example === undefined,
      ),
    );
    return hasBoth && bare.length === 0
      ? []
      : [`${name}: ${codes.join(' ')}; without example: ${bare.join(' ')}`];
  });
  expect(lacking).toEqual([]);
});

test('no parameter is listed twice, no header is required, no two bodies share a name', () => {
  for (const [name, { parameters = [] }] of operations) {
    const keys = parameters.map((parameter) => `${parameter.in}:${parameter.name.toLowerCase()}`);
    expect([name, keys]).toEqual([name, [...new Set(keys)]]);
    expect(parameters.filter((parameter) => parameter.in === 'header' && parameter.required)).toEqual([]);
  }
  expect(output).not.toMatch(/duplicate/i);
});
