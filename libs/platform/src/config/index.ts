export { AppConfig, ConfigError, loadConfig } from './app-config.js';
export { ConfigModule } from './config.module.js';
export { VERSION } from './version.js';
