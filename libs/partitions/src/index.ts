export { NO_RETRIES, rotateDailyPartitions, uuidFloor, uuidTime } from './daily-partitions.js';
export type { DailyTable, LockRetries } from './daily-partitions.js';
export { PartitionsDuty } from './partitions-duty.js';
