export { newestFirst } from './resources/newest-first.js';
export { findResource, listResources, lockResource } from './resources/resources.queries.js';
export { isQuietAt } from './me/quiet-hours.js';
export type { QuietHours } from './me/quiet-hours.js';
export { NamedPageQuery, nameMatches, namePatterns } from './names/name-query.js';
export { NoticePlaces } from './notices/notice-places.js';
export { claimNoticeToPost, noticeIsPosted, postNoticeLater } from './notices/notices-to-post.queries.js';
export { NOTICES_ARE_DUE } from './notices/notices-to-post.statements.js';
export type { NoticeToPost } from './notices/notices-to-post.queries.js';
export { NoticeView } from './notices/notices.view.js';
export { NOTICE_CREATED, raiseNotice, raiseNoticeOnce } from './notices/raise-notice.js';
export { Acting } from './audit-log/acting.js';
export type { ActingAdmin, ActingBot, ActingUser } from './audit-log/acting.js';
export {
  BY_SYSTEM,
  byBot,
  byOperator,
  byPortalLink,
  byUser,
  changesBetween,
  recordChange,
  recordChanges,
} from './audit-log/record-change.js';
export type { Origin } from './audit-log/record-change.js';
export { recordReading } from './audit-log/record-reading.js';
export { roleMay } from './users/roles.js';
export type { Role } from './users/roles.js';
export type { Plan } from './spaces/space.js';
export { perPlan } from './spaces/per-plan.js';
export { requireCapacity } from './spaces/require-capacity.js';
export type { PlanLimit } from './spaces/require-capacity.js';
export { findSpace, namesOfSpaces } from './spaces/spaces.queries.js';
export { SpacesAdminModule } from './spaces-admin.module.js';
export { SpacesWorkerModule } from './spaces-worker.module.js';
export { SpacesModule } from './spaces.module.js';
export { findPerson, findPersonByEmail, listPeople } from './users/people.queries.js';
export { PeoplePage, PersonAnswer, PersonView } from './users/people.view.js';
export { PERSON_CHANGED, PERSON_CHANGES } from './users/person-changed.js';
export type { PersonChange, PersonChanged } from './users/person-changed.js';
export { findActiveUsers, notificationSettingsOf } from './users/users.queries.js';
export { SpaceLimitSettings } from './spaces.settings.js';
export { COUNT_ACTIVE_USERS } from './users/users.statements.js';
