import { Field } from '@tieline/platform/http';

/** What the receiver made of a test send (decisions, 11.3). */
export class TrialResultView {
  @Field({ example: 503, nullable: true, description: 'null when no answer came; `error` says why' })
  status_code: number | null;

  @Field({ example: 'timeout', nullable: true })
  error: string | null;

  @Field({ example: 42, description: 'milliseconds' })
  duration_ms: number;
}
