import getPort from 'get-port';

/** A TCP port of 127.0.0.1 that nobody listens on at this moment, and that this process gave to nobody for a while. */
export const freePort = (): Promise<number> => getPort({ host: '127.0.0.1' });
