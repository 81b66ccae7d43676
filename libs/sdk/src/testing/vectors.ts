import type { Scheme } from '../signatures.js';

/** A body and its signature in one of the schemes. */
export interface Vector {
  readonly scheme: Scheme;
  readonly body: string;
  readonly signature: string;
}

/**
 * The test vectors of docs/signing.md. All use the same secret, id and timestamp (Unix seconds).
 */
export const VECTORS: {
  readonly secret: string;
  readonly id: string;
  readonly timestamp: string;
  readonly vectors: readonly Vector[];
} = {
  secret: 'whsec_VGllbGluZSB0ZXN0IHZlY3RvciwgbmV2ZXIgdXNlISE=',
  id: '019ad735-8400-7000-8000-000000000001',
  timestamp: '1764547200',
  vectors: [
    {
      scheme: 'outgoing',
      body: '{"event_type":"MESSAGE_CREATED","data":{"text":"Привет, Tieline ✓"}}',
      signature: 'sha256=3d99fe2a382a5b970fe3e8afddfbdc8a3e014a9b727914d53f6632cf1d1c1878',
    },
    {
      scheme: 'bot_push',
      body: '{"event_type":"MESSAGE_CREATED","data":{"text":"Привет, Tieline ✓"}}',
      signature: 'v1=b07987e07f7c2ad4d071cb8f649c942a8f48ffdd35547ebc7859f124f80c7514',
    },
    {
      scheme: 'incoming_native',
      body: '{"event_type":"MESSAGE_CREATED","data":{"text":"Привет, Tieline ✓"}}',
      signature: 'sha256=b07987e07f7c2ad4d071cb8f649c942a8f48ffdd35547ebc7859f124f80c7514',
    },
    {
      scheme: 'incoming_compat',
      body: '{"event_type":"MESSAGE_CREATED","data":{"text":"Привет, Tieline ✓"}}',
      signature: 'v0=43f82e2c358e7eb0803bfa2665fdecc8072d3d4b04a2951c0eeabb229cf6df10',
    },
    {
      scheme: 'standard_webhooks',
      body: '{"event_type":"MESSAGE_CREATED","data":{"text":"Привет, Tieline ✓"}}',
      signature: 'v1,IeBt3WR2A73uHnZRfgv8OG67U49Aq8/OoPHNDx1QvzE=',
    },
    {
      scheme: 'outgoing',
      body: '',
      signature: 'sha256=de473d2d06aa2ce76f7e0bdbf44018a2a25fb8020efa0b610778e061cf149d8c',
    },
    {
      scheme: 'bot_push',
      body: '',
      signature: 'v1=d2c2b25b538d7dea4d057155d51e598ff427cee0086cdf6dfa9cda68e861ee7c',
    },
    {
      scheme: 'incoming_native',
      body: '',
      signature: 'sha256=d2c2b25b538d7dea4d057155d51e598ff427cee0086cdf6dfa9cda68e861ee7c',
    },
    {
      scheme: 'incoming_compat',
      body: '',
      signature: 'v0=757c4227430b98051cb06ec7c35e0a4ec877e2755cbc7b1358aa64869f5e31d8',
    },
    { scheme: 'standard_webhooks', body: '', signature: 'v1,Fu1CRlzYSIOy8vrPNJHVj6RQS64TN/fx2YYbTBWswvc=' },
  ],
};
