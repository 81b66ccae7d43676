import { Field, OkAnswer } from '@tieline/platform/http';

/** When a person's invite expires. */
export class InviteAnswer extends OkAnswer {
  @Field({ example: '2026-11-08T09:00:00.000Z', description: 'seven days after its creation' })
  expires_at: string;
}

/** A new invite. */
export class CreatedInviteAnswer extends InviteAnswer {
  @Field({
    example: 'https://tieline.example.com/#invite=tli_…',
    description: 'a link with which the person signs in, once; shown only in this response',
  })
  url: string;
}
