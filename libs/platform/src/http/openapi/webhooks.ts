import type { OpenAPIObject } from '@nestjs/swagger';
import { eachObject, nameOf } from './schemas.js';
import type { NamedSchemas } from './schemas.js';

/**
 * Moves the requests to other servers into a separate document. Client generators would turn
 * `webhooks` into callable operations, or into code that does not compile. Their classes stay in
 * the first document too.
 */
export function splitWebhooks(document: OpenAPIObject): OpenAPIObject {
  const { webhooks = {}, components, tags = [], servers: _, security: _none, ...rest } = document;
  delete document.webhooks;
  const schemas = (components?.schemas ?? {}) as NamedSchemas;
  const used = new Set<string>();
  addReferences(webhooks, schemas, used);
  const own = Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)));
  const webhooksJson = JSON.stringify(webhooks);
  const isOfWebhooks = ({ name }: { name: string }): boolean => webhooksJson.includes(`"${name}"`);
  document.tags = tags.filter((tag) => !isOfWebhooks(tag));
  return {
    ...rest,
    info: { ...rest.info, title: `${rest.info.title}: events and callbacks`, description: INTRODUCTION },
    paths: {},
    webhooks,
    components: { schemas: own } as OpenAPIObject['components'],
    tags: tags.filter(isOfWebhooks),
  };
}

const INTRODUCTION =
  'What is sent to your addresses: events to subscriptions and bots, clicks, submissions and commands to callbacks, with the answers that are read. The API itself is in `/api/openapi.json`.';

function addReferences(value: unknown, schemas: NamedSchemas, used: Set<string>): void {
  eachObject(value, ({ $ref }) => {
    const name = typeof $ref === 'string' ? nameOf($ref) : '';
    if (name === '' || used.has(name)) return;
    used.add(name);
    addReferences(schemas[name], schemas, used);
  });
}
