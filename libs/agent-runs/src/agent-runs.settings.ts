import { int, perSecond, settings } from '@tieline/platform/config';

/** Settings of agent runs. */
export class AgentRunSettings extends settings('Agent runs', {
  timeoutSeconds: int('AGENT_RUN_TIMEOUT_SECONDS', {
    default: 1800,
    min: 1,
    max: 31_536_000,
    text: 'an [agent run](agent-runs.md) without an update for this long expires',
  }),
  stopGraceSeconds: int('AGENT_STOP_GRACE_SECONDS', {
    default: 10,
    min: 1,
    max: 3600,
    text: 'a run that its bot does not end for this long after a person [stopped](agent-runs.md#stop) it is cancelled',
  }),
  createdPerSecond: perSecond('RATE_AGENT_RUN_CREATE_PER_SECOND', 5, 'new runs per bot and conversation'),
  updatesPerSecond: perSecond('RATE_AGENT_RUN_UPDATE_PER_SECOND', 10, 'updates per bot and run'),
}) {}
