/**
 * What one thing costs: about one and a half times what `npm run sizing -- --measure` said at 400
 * messages a second on 2 cores with PostgreSQL 18, where batches are small and each thing costs
 * most (a message: api 0.33 ms, worker 0.17, PostgreSQL 0.28, 490 bytes on the disk and 1,700 of
 * WAL with a text of 200 letters; a delivery: worker 0.27, PostgreSQL 0.16, 2,350 bytes and 3,300
 * of WAL). Streams: `npm run bench -- --only e`. Reads and the network are estimates.
 */
export const COSTS = {
  /** Milliseconds of a core. */
  cpu: {
    message: { api: 0.5, worker: 0.25, postgres: 0.4 },
    delivery: { api: 0, worker: 0.4, postgres: 0.25 },
    /** A page of history, a list, a poll. */
    read: { api: 0.5, worker: 0, postgres: 0.3 },
    /** One live event at one stream. */
    streamed: { api: 0.04, worker: 0, postgres: 0 },
  },
  /** Bytes on the disk, indexes included. */
  disk: { message: 700, delivery: 2500 },
  /** Bytes of WAL: what archives, replicas and the disk have to take. */
  wal: { message: 2500, delivery: 4000 },
  /**
   * Bytes over the network, headers included: to the api and back, to a receiver and back, to a
   * reader of a stream.
   */
  network: { message: 1500, delivery: 2600, read: 12_000, streamed: 900 },
  /** Bytes of memory: a process with nothing open, and each stream. */
  memory: { process: 250_000_000, stream: 20_000 },
};

/** What is left free, and what one of a kind carries at most. */
export const LIMITS = {
  /**
   * The share of a core that is planned with: the rest is for peaks within the second, and for a
   * process that is being replaced.
   */
  busy: 0.5,
  /** Streams that are planned for one api; it takes `STREAMS_MAX`. */
  streamsPerApi: 5_000,
  /**
   * Events that one relay is planned with in a second; the bench plans 1,000 beside everything else
   * on two shared cores.
   */
  eventsPerRelay: 1_500,
  /** Cores that one PostgreSQL is planned with before a second installation is easier. */
  postgresCores: 32,
  /** `DATABASE_POOL_MAX` that is planned with, and what a process has beside it. */
  pool: { first: 24, many: 12 },
  /** Days that the delivery log is kept. */
  logDays: 30,
};
