import { Field } from '../http/index.js';

const UP = { database: { status: 'up' } };
const DOWN = { database: { status: 'down', message: 'unavailable' } };

/** The process can serve; the parts by name. */
export class HealthAnswer {
  @Field({
    enum: ['ok', 'degraded'],
    description: '`degraded`: an optional part is down',
  })
  status: 'ok' | 'degraded';

  @Field({ example: UP, description: 'parts that work or are `degraded`' })
  info: object;

  @Field({ example: {}, description: 'required parts that are down' })
  error: object;

  @Field({ example: UP })
  details: object;
}

/** A required part is down; the parts by name. */
export class UnhealthyAnswer {
  @Field({ enum: ['error', 'shutting_down'], description: 'see the parts' })
  status: 'error' | 'shutting_down';

  @Field({ example: {}, description: 'what works' })
  info: object;

  @Field({ example: DOWN, description: 'parts that are down' })
  error: object;

  @Field({ example: DOWN })
  details: object;
}
