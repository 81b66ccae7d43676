export { rotateDailyPartitions, uuidFloor } from './daily-partitions.js';
export type { DailyTable } from './daily-partitions.js';
