import { Field, OkAnswer } from '@tieline/platform/http';

const OPTION = { text: { type: 'plain_text', text: 'Version 1.4.2' }, value: 'v1.4.2' };

/** Response of POST …/block_options: `options` or `option_groups`, as the app sent them. */
export class BlockOptionsAnswer extends OkAnswer {
  @Field({ example: [OPTION], optional: true })
  options?: object[];

  @Field({
    example: [{ label: { type: 'plain_text', text: 'Stable' }, options: [OPTION] }],
    optional: true,
  })
  option_groups?: object[];
}
