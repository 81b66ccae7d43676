export { startTasksApi, TasksFixture } from './tasks-fixture.js';
export type { TestBot } from './tasks-fixture.js';
