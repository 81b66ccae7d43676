import type { OpenAPIObject } from '@nestjs/swagger';

type Operation = NonNullable<OpenAPIObject['paths'][string]['post']>;

const METHODS = ['get', 'put', 'post', 'delete', 'head', 'patch'] as const;
/** As the header takes it: an empty key equals an absent one. */
const KEY = '^[A-Za-z0-9._:-]{0,128}$';

/** Completes what every operation has to say and no handler has to repeat. */
export function completeOperations({ paths }: OpenAPIObject): void {
  for (const path of Object.values(paths))
    for (const method of METHODS) {
      const operation = path[method];
      if (operation) complete(operation);
    }
}

function complete(operation: Operation): void {
  // Nobody's token is wanted: said by an empty list, because a missing one leaves it open.
  operation.security ??= [];
  for (const parameter of operation.parameters ?? [])
    if ('name' in parameter && parameter.name === 'Idempotency-Key')
      parameter.schema = { ...parameter.schema, pattern: KEY };
}
