import { Field } from '@tieline/platform/http';

/** What every event of an app names. */
export class AppData {
  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d71' })
  app_id: string;

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d81' })
  installation_id: string;
}
