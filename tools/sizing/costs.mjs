/**
 * What one thing costs. Processor time, disk and WAL: `npm run sizing -- --measure` on the machine of the bench (2 cores, PostgreSQL 18), at a rate well below its
 * limit, where batches are small and each thing costs most; streams: `npm run bench -- --only e`. Round figures, rounded up.
 */
export const COSTS = {
  /** Milliseconds of a core. */
  cpu: {
    message: { api: 0.6, worker: 0.2, postgres: 0.7 },
    delivery: { api: 0, worker: 0.5, postgres: 0.5 },
    /** A page of history, a list, a poll. */
    read: { api: 0.5, worker: 0, postgres: 0.3 },
    /** One live event at one stream. */
    streamed: { api: 0.04, worker: 0, postgres: 0 },
  },
  /** Bytes on the disk, indexes included. */
  disk: { message: 900, delivery: 2500 },
  /** Bytes of WAL: what archives, replicas and the disk have to take. */
  wal: { message: 3500, delivery: 4500 },
  /** Bytes over the network, headers included: to the api and back, to a receiver and back, to a reader of a stream. */
  network: { message: 1500, delivery: 2600, read: 12_000, streamed: 900 },
  /** Bytes of memory: a process with nothing open, and each stream. */
  memory: { process: 250_000_000, stream: 20_000 },
};

/** What is left free, and what one of a kind carries at most. */
export const LIMITS = {
  /** The share of a core that is planned with: the rest is for peaks within the second, and for a process that is being replaced. */
  busy: 0.5,
  /** Streams that are planned for one api; it takes `STREAMS_MAX`. */
  streamsPerApi: 5_000,
  /** Events that one relay plans in a second, a third of what it can alone on its machine. */
  eventsPerRelay: 2_500,
  /** Cores that one PostgreSQL is planned with before a second installation is easier. */
  postgresCores: 32,
  /** `DATABASE_POOL_MAX` that is planned with, and what a process has beside it. */
  pool: { first: 24, many: 12 },
  /** Days that the delivery log is kept. */
  logDays: 30,
};
