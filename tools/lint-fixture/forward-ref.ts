// as libs/bots/src/index.ts: @typescript-eslint/no-restricted-imports
import { forwardRef } from '@nestjs/common';

export const used = forwardRef;
