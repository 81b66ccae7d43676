// as libs/platform/src/http/app.ts: no-restricted-syntax
import type { INestApplication, NestInterceptor } from '@nestjs/common';

export const intercept = (app: INestApplication, interceptor: NestInterceptor): unknown =>
  app.useGlobalInterceptors(interceptor);
