export {
  ADVISORY_LOCKS,
  LEASE_OWNER_LOCKS,
  NOTIFICATION_LOCKS,
  PLANNING_LOCKS,
  RELAY_LEADER_LOCKS,
  RELAY_PRESENT_LOCKS,
} from './advisory-locks.js';
export { KeptSession } from './kept-session.js';
export { Loop } from './loop.js';
export { applySettings } from './session-settings.js';
export type { SessionSettings } from './session-settings.js';
export { untilItWorks } from './until-it-works.js';
export { withinDeadline } from './within-deadline.js';
export { currentCaller, inRequest, nameCaller, outsideRequests } from './request-caller.js';
