import { ConfigError, Environment } from '@tieline/platform/config';
import { OutgoingWebhookSettings } from './webhooks.settings.js';

const ratesOf = (given?: string) =>
  new OutgoingWebhookSettings(new Environment({ RATE_DELIVERIES_PER_SECOND: given })).ratePerSecond;

test('RATE_DELIVERIES_PER_SECOND sets the rate of each plan', () => {
  expect(ratesOf()).toEqual({ free: 5, pro: 20, enterprise: 100 });
  expect(ratesOf(' 1, 2 ,3000 ')).toEqual({ free: 1, pro: 2, enterprise: 3000 });
});

test.each(['5', '5,20', '5,20,100,200', '5,20,x', '0,20,100', '5,-1,100', '1.5,2,3', '5,20,1000001'])(
  'RATE_DELIVERIES_PER_SECOND=%s prevents the start',
  (given) => {
    expect(() => ratesOf(given)).toThrow(ConfigError);
  },
);
