import { readAddress } from './address.js';

const server = { cluster: false, tls: false, database: 0 };

describe('addresses of Redis', () => {
  it.each([
    ['redis://localhost', { ...server, nodes: [{ host: 'localhost', port: 6379 }] }],
    ['redis://localhost:7000/3', { ...server, nodes: [{ host: 'localhost', port: 7000 }], database: 3 }],
    [
      'rediss://ann:p%40ss@cache.example:7000',
      {
        ...server,
        tls: true,
        username: 'ann',
        password: 'p@ss',
        nodes: [{ host: 'cache.example', port: 7000 }],
      },
    ],
    [
      'redis-cluster://:secret@a:7000?node=b:7001&node=[::1]:7002',
      {
        ...server,
        cluster: true,
        password: 'secret',
        nodes: [
          { host: 'a', port: 7000 },
          { host: 'b', port: 7001 },
          { host: '::1', port: 7002 },
        ],
      },
    ],
    [
      'rediss-cluster://cfg.example',
      { ...server, cluster: true, tls: true, nodes: [{ host: 'cfg.example', port: 6379 }] },
    ],
  ])('%s', (text, read) => expect(readAddress(text)).toEqual(read));

  it.each([
    ['redis-cluster://a:7000?node=b', 'node=b must be host:port'],
    ['redis-cluster://a:7000?node=b:70000', 'node=b:70000 must be host:port'],
    ['redis-cluster://a:7000?node=b:1/2', 'node=b:1/2 must be host:port'],
    ['redis-cluster://a:7000/1', 'a cluster has no numbered databases'],
  ])('refuses %s', (text, problem) => expect(() => readAddress(text)).toThrow(problem));
});
