import type { OpenAPIObject } from '@nestjs/swagger';

type Operation = NonNullable<OpenAPIObject['paths'][string]['post']>;

const METHODS = ['get', 'put', 'post', 'delete', 'head', 'patch'] as const;
/** As in the header: an empty key equals an absent one. */
const KEY = '^[A-Za-z0-9._:-]{0,128}$';

/** Completes what every operation has to document and no handler has to repeat. */
export function completeOperations({ paths }: OpenAPIObject): void {
  for (const path of Object.values(paths))
    for (const method of METHODS) {
      const operation = path[method];
      if (operation) complete(operation);
    }
}

function complete(operation: Operation): void {
  // An empty list means that no token is required; a missing one would leave it open.
  operation.security ??= [];
  for (const parameter of operation.parameters ?? [])
    if ('name' in parameter && parameter.name === 'Idempotency-Key')
      parameter.schema = { ...parameter.schema, pattern: KEY };
}
