export { exportDatabase } from './export-database.js';
export { importDatabase } from './import-database.js';
export type { TransferKey } from './dump-format.js';
