/**
 * Every numbered advisory lock of the product, so that no two share a number. A lock for a row or a
 * name has two keys instead: a class and the hash of the name.
 */
export const ADVISORY_LOCKS = {
  migrations: 7_130_001,
  /** The template database that tests are copied from. */
  testTemplate: 7_130_002,
  deliveryPartitions: 7_130_003,
  /** Held until commit by each planning transaction, so that only one plans at a time. */
  planning: 7_130_004,
  /** Held by the worker that relays. */
  relayLeader: 7_130_005,
  inboxTidying: 7_130_010,
  pollPartitions: 7_130_011,
  notificationPartitions: 7_130_012,
  callbackPartitions: 7_130_013,
} as const;

/** First key of the locks that running workers hold. Key 2: the number of the worker. */
export const LEASE_OWNER_LOCKS = 713_010;

/**
 * First key of the locks that a worker holds while it sends notifications for a space. Key 2: the
 * hash of the space's id.
 */
export const NOTIFICATION_LOCKS = 713_011;

/**
 * First key of the locks under which approvals of a bot are created and counted. Key 2: the hash of
 * the bot's id.
 */
export const APPROVAL_LOCKS = 713_012;

/**
 * First key of the locks that processes share while they listen to a topic of the bus. Key 2: the
 * number of the topic.
 */
export const TOPIC_LOCKS = 713_013;
