export { exportDatabase } from './export-database.js';
export { importDatabase } from './import-database.js';
export { TransferRefused } from './transfer-refused.js';
export type { TransferKey } from './dump-format.js';
