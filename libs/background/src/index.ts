export {
  ADVISORY_LOCKS,
  APPROVAL_LOCKS,
  LEASE_OWNER_LOCKS,
  NOTIFICATION_LOCKS,
  TOPIC_LOCKS,
} from './advisory-locks.js';
export { ActiveKeys } from './active-keys.js';
export { PersistentSession } from './persistent-session.js';
export { Loop } from './loop.js';
export type { LoopSettings } from './loop.js';
export { ping } from './ping.js';
export { applySettings } from './session-settings.js';
export type { SessionSettings } from './session-settings.js';
export { retryUntilSuccess } from './retry-until-success.js';
export { doneWithin, withinDeadline } from './within-deadline.js';
export { KeyedSemaphore, TurnMissed } from './keyed-semaphore.js';
export { Signal } from './signal.js';
export { currentCaller, inRequest, nameCaller, outsideRequests } from './request-caller.js';
