export { withinOneWindow } from './within-one-window.js';
