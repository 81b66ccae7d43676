export {
  ADVISORY_LOCKS,
  LEASE_OWNER_LOCKS,
  NOTIFICATION_LOCKS,
  PLANNING_LOCKS,
  RELAY_LEADER_LOCKS,
  RELAY_PRESENT_LOCKS,
} from './advisory-locks.js';
export { PersistentSession } from './persistent-session.js';
export { Loop } from './loop.js';
export { applySettings } from './session-settings.js';
export type { SessionSettings } from './session-settings.js';
export { retryUntilSuccess } from './retry-until-success.js';
export { withinDeadline } from './within-deadline.js';
export { currentCaller, inRequest, nameCaller, outsideRequests } from './request-caller.js';
