export { PlatformModule } from './platform.module.js';
export { runApp } from './run-app.js';
export { CommandRefused, runCommand } from './run-command.js';
