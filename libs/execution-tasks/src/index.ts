export type { Artifact } from './execution-task.entity.js';
export { ExecutionTasksModule, ExecutionTasksWorkerModule } from './execution-tasks.module.js';
export { StreamedTask } from './updates/streamed-task.view.js';
export { endRun } from './runs/end-run.js';
export { linkRun } from './runs/link-run.js';
export { TaskRuns } from './runs/task-runs.js';
export type { RunLink } from './runs/task-runs.js';
