/**
 * Every numbered advisory lock of the product, so that no two share a number. A lock that belongs
 * to a row or a name takes two keys instead: a class and the hash of the name.
 */
export const ADVISORY_LOCKS = {
  migrations: 7_130_001,
  /** The database that tests are copied from. */
  testTemplate: 7_130_002,
  deliveryPartitions: 7_130_003,
  /**
   * Held to commit by every planning transaction: there is one at a time, whoever leads. Those of
   * shards hold it with each other.
   */
  planning: 7_130_004,
  /** Held by the worker that relays. Those that relay shards hold it with each other. */
  relayLeader: 7_130_005,
  inboxTidying: 7_130_010,
  pollPartitions: 7_130_011,
  notificationPartitions: 7_130_012,
  callbackPartitions: 7_130_013,
} as const;

/** First key of the locks that living workers hold; the second is the worker's number. */
export const LEASE_OWNER_LOCKS = 713_010;

/**
 * First key of the locks that a worker holds while it notifies people of a space; the second is the
 * hash of the space's id.
 */
export const NOTIFICATION_LOCKS = 713_011;

/**
 * First key of the locks of the relay's shards: held to commit by planning transactions; the second
 * is the shard's node.
 */
export const PLANNING_LOCKS = 713_012;

/** First key of the locks that workers hold that relay a shard; the second is the shard's node. */
export const RELAY_LEADER_LOCKS = 713_013;

/**
 * First key of the locks that workers hold, with each other, that would relay shards; the second is
 * how many shards there are for them.
 */
export const RELAY_PRESENT_LOCKS = 713_014;
