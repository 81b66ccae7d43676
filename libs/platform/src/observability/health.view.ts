import { Field } from '../http/index.js';

const UP = { database: { status: 'up' } };
const DOWN = { database: { status: 'down', message: 'unavailable' } };

/** Everything that was looked at works; the parts by name. */
export class HealthAnswer {
  @Field({ enum: ['ok'] })
  status: 'ok';

  @Field({ example: UP, description: 'what works' })
  info: object;

  @Field({ example: {}, description: 'what does not' })
  error: object;

  @Field({ example: UP })
  details: object;
}

/** Something doesn't work; the parts by name. */
export class UnhealthyAnswer {
  @Field({ enum: ['error', 'shutting_down'], description: 'see the parts' })
  status: 'error' | 'shutting_down';

  @Field({ example: {}, description: 'what works' })
  info: object;

  @Field({ example: DOWN, description: 'what does not' })
  error: object;

  @Field({ example: DOWN })
  details: object;
}
