import { Ajv } from 'ajv';
import { closed, closedAll } from '@tieline/testing';
import { documentedExamples } from '../events-document/examples.js';
import { committed } from './committed.js';

type Json = Record<string, any>;

const { api: document, webhooks: sent } = committed() as unknown as { api: Json; webhooks: Json };
const ajv = new Ajv({ strict: false, allErrors: true });
ajv.addSchema({ $id: 'openapi', components: { schemas: closedAll(document.components.schemas) } });

/** Returns the documented schema of an example in docs/events.md by its name. */
function schemaOf(example: string): Json {
  if (example === 'poll record') return { $ref: '#/components/schemas/PollRecordView' };
  const stream = example.startsWith('bot stream')
    ? '/api/v1/bot/stream'
    : example.startsWith('stream') && '/api/v1/client/stream';
  if (stream) return document.paths[stream].get.responses[200].content['text/event-stream'].schema;
  const { post } = sent.webhooks[example.replace(/ .*/, '')];
  return post.requestBody.content['application/json'].schema;
}

test.each([...documentedExamples()])('the document has a schema for the sent event %s', (name, value) => {
  const validate = ajv.compile(closed(schemaOf(name)));
  validate(value);
  expect(validate.errors ?? []).toEqual([]);
});

test('every documented event has an example', () => {
  const seen = new Set([...documentedExamples().keys()].map((name) => name.replace(/ .*/, '')));
  expect(Object.keys(sent.webhooks).filter((name) => !seen.has(name))).toEqual([]);
});
