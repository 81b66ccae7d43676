// as libs/bots/src/index.ts: @typescript-eslint/no-restricted-imports
import { Queue } from 'bullmq';

export const used = Queue;
