import { Injectable } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { stringify } from 'lossless-json';
import type { Observable } from 'rxjs';

/** Serializes bigints exactly, which JSON.stringify refuses. */
@Injectable()
export class ExactAnswers implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    // Fastify sets the content type only when it serializes itself.
    context
      .switchToHttp()
      .getResponse<FastifyReply>()
      .type('application/json; charset=utf-8')
      .serializer((answer: unknown) => stringify(answer) as string);
    return next.handle();
  }
}
