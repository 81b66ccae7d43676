export { notifyLongOpenBreakers } from '../engine/results/long-open-breakers.js';
export { describeCounting, settledAs } from './describe-counting.js';
