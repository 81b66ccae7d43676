export { rotateDailyPartitions, uuidFloor, uuidTime } from './daily-partitions.js';
export type { DailyTable } from './daily-partitions.js';
