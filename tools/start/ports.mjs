import { createServer } from 'node:net';

/**
 * Reports a port in use, or one that browsers and fetch refuse to open, before a program fails on
 * it. The check of the settings reports invalid addresses, together with all other problems.
 * @param {string} url
 * @param {string} variable the environment variable that chooses the port
 */
export async function requirePort(url, variable) {
  if (!URL.canParse(url)) return;
  const { hostname, port } = new URL(url);
  await new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => {
      if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EADDRINUSE')
        reject(new Error(`port ${port} is taken by another program; choose a free one with ${variable}=…`));
      else resolve(undefined); // the program itself reports other errors better
    });
    server.listen({ port: Number(port), host: hostname.replace(/^\[|\]$/g, '') }, () =>
      server.close(() => resolve(undefined)),
    );
  });
  const refused = await fetch(url, { signal: AbortSignal.timeout(1_000) }).catch(({ cause }) => cause);
  if (refused?.message === 'bad port')
    throw new Error(`browsers refuse to open port ${port}; choose another with ${variable}=…`);
}
