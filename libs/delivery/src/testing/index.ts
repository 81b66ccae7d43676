export { describeCounting, settledAs } from './describe-counting.js';
