// The servers that the product stands on, and how they are taken away from it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres } from '../../postgres/server.mjs';

const SWALLOW_EVERY_MS = 100;

/** A PostgreSQL behind a proxy. Its commits are durable: it is killed. */
export async function startDatabase() {
  const { startTcpProxy } = await import('@tieline/testing');
  const dataDir = await mkdtemp(join(tmpdir(), 'tieline-soak-'));
  let server = await startPostgres({ dataDir });
  const [proxy, always] = [await startTcpProxy(server.url), await startTcpProxy(server.url)];
  return {
    /** By way of the proxy. */
    url: proxy.url,
    /**
     * Until it is restarted; without a proxy, which does nothing while this process waits for
     * another.
     */
    firstUrl: server.url,
    /** Not silent when the other is. */
    directUrl: always.url,
    async restart() {
      server.kill();
      await server.exited;
      server = await startPostgres({ dataDir });
      // During its absence another connection may have taken its port, so it may get a new one.
      for (const one of [proxy, always]) one.pointTo(server.url);
    },
    /** Drops all traffic silently, like a firewall that lost its state. */
    async swallow(ms) {
      const until = Date.now() + ms;
      while (Date.now() < until) {
        proxy.swallow();
        await sleep(SWALLOW_EVERY_MS);
      }
    },
    async stop() {
      await Promise.all([proxy.close(), always.close()]);
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Queries the database, and repeats a query while the server is away.
 * @typedef {ReturnType<typeof patientSql>} Sql
 * @param {string} url
 */
export function patientSql(url) {
  const pool = new pg.Pool({ connectionString: url, max: 3, connectionTimeoutMillis: 2_000 });
  pool.on('error', () => undefined);
  return {
    end: () => pool.end(),
    /**
     * @param {string} text @param {unknown[]} [values]
     * @returns {Promise<import('pg').QueryResult<any>>}
     */
    async query(text, values) {
      for (let tries = 1; ; tries += 1) {
        try {
          return await pool.query(text, values);
        } catch (error) {
          // 42 and 23 are faults of the statement.
          if (tries === 100 || /^(42|23)/.test(error.code)) throw error;
          await sleep(200);
        }
      }
    },
  };
}
