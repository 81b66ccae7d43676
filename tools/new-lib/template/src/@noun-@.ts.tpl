import { IsText } from '@tieline/platform/http';
import { field } from '@tieline/platform/resource';
import type { InputOf } from '@tieline/platform/resource';

/** The fields of a @noun-@. */
export const @NOUN@ = {
  spaceId: field('uuid', { key: true }),
  id: field('uuid', { key: true, shown: true, example: '0198f3a2-7c1b-7000-8000-0000000000e1' }),
  name: field('text', {
    settable: ['create'],
    audited: true,
    shown: true,
    body: { minLength: 1, maxLength: 64 },
    rules: [IsText(1, 64)],
    example: 'On call',
  }),
  createdAt: field('timestamptz', { shown: true, example: '2026-11-01T09:00:00.000Z' }),
};

/** What a request sets to create a @noun-@. */
export type New@Noun@ = InputOf<typeof @NOUN@, 'create'>;
