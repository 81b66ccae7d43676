export { AdminModule } from './admin.module.js';
export { OperatorModule } from './operator.module.js';
