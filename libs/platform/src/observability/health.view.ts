import { Field } from '../http/index.js';

const UP = { database: { status: 'up' } };
const DOWN = { database: { status: 'down', message: 'unavailable' } };

/** The process can serve; the parts by name. */
export class HealthAnswer {
  @Field({ enum: ['ok', 'degraded'], description: '`degraded`: some part is away that it can do without' })
  status: 'ok' | 'degraded';

  @Field({ example: UP, description: 'what works, or is `degraded`' })
  info: object;

  @Field({ example: {}, description: 'what it cannot do without and is away' })
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
