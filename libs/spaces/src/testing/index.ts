export { cookieOf, TestBrowser } from './browser.js';
export { limitedToken } from './limited-token.js';
export { NoPlacesModule } from './no-places.module.js';
export { seedSpace } from './seed-space.js';
export type { SeededPerson, SeededSpace } from './seed-space.js';
export { OPERATOR_TOKEN, startTestApi, TestApi } from './test-api.js';
export type { TestAnswer } from './test-api.js';
