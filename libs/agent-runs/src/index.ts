export { AgentRunsWorkerModule } from './agent-runs-worker.module.js';
export { AgentRunsModule } from './agent-runs.module.js';
