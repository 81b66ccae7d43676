export { AppConfig, ConfigError, loadConfig } from './app-config.js';
export { VERSION } from './version.js';
