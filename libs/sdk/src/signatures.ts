/** `@tieline/sdk/signatures`: verifies and creates signatures on every platform with Web Crypto. */
export { explain } from './signatures/explain.js';
export { IncomingWebhook } from './signatures/incoming-webhook.js';
export type { IncomingMessage, IncomingWebhookOptions, PostOptions } from './signatures/incoming-webhook.js';
export { rawBodyOf } from './signatures/raw-body.js';
export type { RawBody, RequestWithBody } from './signatures/raw-body.js';
export type { Scheme } from './signatures/schemes.js';
export { sign, signedRequest } from './signatures/sign.js';
export type { SignOptions, SignedRequestOptions } from './signatures/sign.js';
export { verify } from './signatures/verify.js';
export type { RequestHeaders, SignatureFault, Verification, VerifyOptions } from './signatures/verify.js';
