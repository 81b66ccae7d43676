export { PlatformSettings } from '../platform.settings.js';
export { ConfigModule } from './config.module.js';
export { discoverSettings, readEnvironment } from './discover-settings.js';
export { ConfigError, Environment } from './environment.js';
export { bool, int, list, oneOf, optionalUrl, perSecond, text } from './setting.js';
export { checkSettings, settings } from './settings.js';
export type { SettingsClass } from './settings.js';
export { withSettingsTables } from './settings-table.js';
export { VERSION } from './version.js';
