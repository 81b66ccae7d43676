import { Redis } from 'ioredis';

/**
 * Cuts the connections to a test's Redis database whose name matches. Connections to other
 * databases belong to concurrent tests.
 * @returns the number of cut connections
 */
export async function killRedisClients(redisUrl: string, name: RegExp): Promise<number> {
  const redis = new Redis(redisUrl);
  try {
    const meant = (await redisClients(redis)).filter(
      (client) => client.get('db') === String(redis.options.db) && name.test(client.get('name') ?? ''),
    );
    for (const client of meant) await redis.client('KILL', 'ID', client.get('id') ?? '');
    return meant.length;
  } finally {
    redis.disconnect();
  }
}

/** Returns every connection to the server, with the fields of `CLIENT LIST`. */
export async function redisClients(redis: Redis): Promise<Map<string, string>[]> {
  return String(await redis.client('LIST'))
    .split('\n')
    .map(fieldsOf);
}

/** Parses a line of `CLIENT LIST`: `id=3 addr=127.0.0.1:1234 name=one db=0 …` */
function fieldsOf(line: string): Map<string, string> {
  const pairs = line
    .trim()
    .split(' ')
    .map((field) => field.split('='));
  return new Map(pairs.map(([key = '', value = '']) => [key, value]));
}
