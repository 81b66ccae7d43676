export { SDK_VERSION } from '../index.js';
