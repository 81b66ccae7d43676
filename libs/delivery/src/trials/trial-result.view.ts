import { Field } from '@tieline/platform/http';

/** The receiver's response to a test send. */
export class TrialResultView {
  @Field({ example: 503, nullable: true, description: 'null without a response. `error` has the reason' })
  status_code: number | null;

  @Field({ example: 'timeout', nullable: true })
  error: string | null;

  @Field({ example: 42, description: 'milliseconds' })
  duration_ms: number;
}
