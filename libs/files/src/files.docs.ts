import { applyDecorators } from '@nestjs/common';
import { documentError } from '@tieline/platform/http';

const EXAMPLES: Readonly<Record<number, string>> = {
  400: 'file not uploaded',
  401: 'invalid or revoked token',
  403: 'bot not in conversation',
  404: 'file not found',
  409: "the files of this space have reached their plan's limit",
  413: 'request body too large',
  429: 'rate limit exceeded',
  503: 'service unavailable',
};

/** Documents the error responses of the bots' file endpoints. */
export const documentFileErrors = (...statuses: number[]): MethodDecorator =>
  applyDecorators(
    ...statuses.map((status) => {
      const text = EXAMPLES[status] ?? 'error';
      return documentError('plain', status, { description: text, text });
    }),
  );
