export { AT_ONCE, rotateDailyPartitions, uuidFloor, uuidTime } from './daily-partitions.js';
export type { DailyTable, Patience } from './daily-partitions.js';
export { PartitionsDuty } from './partitions-duty.js';
