export type { Artifact } from './execution-task.queries.js';
export type { RunEnd } from './execution-task.states.js';
export { ExecutionTasksModule, ExecutionTasksWorkerModule } from './execution-tasks.module.js';
export { endRun, linkRun, registerRunFinder } from './runs/task-runs.js';
export type { EndedRun, RunFinder, RunLink } from './runs/task-runs.js';
