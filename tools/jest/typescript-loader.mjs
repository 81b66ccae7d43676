/** For a process that a test starts: `node --import <this file>` runs the sources as they are. */
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
