import { badRequest } from '@tieline/platform/http';
import type { ApiError } from '@tieline/platform/http';

export const invalidCursor = (): ApiError => badRequest('invalid cursor');
