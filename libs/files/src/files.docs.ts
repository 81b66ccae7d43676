import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';

const EXAMPLES: Readonly<Record<number, string>> = {
  400: 'file not uploaded',
  401: 'invalid or revoked token',
  403: 'bot not in conversation',
  404: 'file not found',
  413: 'request body too large',
  429: 'rate limit exceeded',
  503: 'service unavailable',
};

/** Describes the error answers of bots' file endpoints, which alone have the shape `{error}` (contract, Error body shapes). */
export function documentFileErrors(...statuses: number[]): MethodDecorator {
  const describe = (status: number): MethodDecorator => {
    const error = EXAMPLES[status] ?? 'error';
    return ApiResponse({
      status,
      description: error,
      schema: {
        type: 'object',
        required: ['error'],
        properties: { error: { type: 'string' } },
        example: { error },
      },
    });
  };
  return applyDecorators(...statuses.map(describe));
}
