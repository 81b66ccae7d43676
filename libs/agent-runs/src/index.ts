export { AgentRunsWorkerModule } from './agent-runs-worker.module.js';
export { runIdIn } from './agent-run.view.js';
export { AgentRunsModule } from './agent-runs.module.js';
export { stopRequested } from './stops/stop-requested.view.js';
