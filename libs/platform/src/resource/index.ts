export { field, named } from './field.js';
export { entityOf, selectionOf } from './entity.js';
export { viewOf } from './view.js';
export { bodyOf, distinct } from './body.js';
export type { InputOf } from './body.js';
export { auditedOf, changesOf, settingsOf, withDefaults } from './settings.js';
export type { SettingsOf } from './settings.js';
