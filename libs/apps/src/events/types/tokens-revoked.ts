import { chatEvents } from '@tieline/conversations';
import { Field } from '@tieline/platform/http';
import { AppData } from './app-data.view.js';

class TokensRevokedData extends AppData {
  @Field({
    type: String,
    isArray: true,
    example: ['01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d02'],
    description: 'people whose tokens of one authorization are revoked',
  })
  user_ids: string[];

  @Field({
    type: String,
    isArray: true,
    example: ['01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d11'],
    description: 'bots of the app whose token is revoked',
  })
  bot_ids: string[];
}

/** Sent to an app when tokens end while the app stays installed. */
export const tokensRevoked = chatEvents.declare({
  event: 'TOKENS_REVOKED',
  summary: 'Tokens of the app are revoked; it stays installed',
  data: TokensRevokedData,
  ids: ['app_id', 'installation_id'],
  subscribers: [],
});
