import { Injectable } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { stringify } from 'lossless-json';
import type { Observable } from 'rxjs';

/** Writes bigints in answers in full, which JSON.stringify refuses. */
@Injectable()
export class ExactAnswers implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    // Fastify names the type of what it serialises itself alone.
    context
      .switchToHttp()
      .getResponse<FastifyReply>()
      .type('application/json; charset=utf-8')
      .serializer((answer: unknown) => stringify(answer) as string);
    return next.handle();
  }
}
