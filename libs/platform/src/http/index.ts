export {
  ApiError,
  badRequest,
  conflict,
  forbidden,
  inField,
  invalidField,
  invalidToken,
  methodNotAllowed,
  notFound,
  rateLimited,
  tokenOfAPerson,
  tooLarge,
  Unavailable,
  unavailable,
} from './api-error.js';
export { documentErrors, documentErrorsIn } from './api-docs.js';
export { Answers, Field, OkAnswer, PageAnswer } from './answers.js';
export { createHttpApp } from './app.js';
export {
  actAs,
  AdminApi,
  AdmitsCapabilities,
  BotApi,
  BotOrClientApi,
  Caller,
  callerKey,
  callerOf,
  ClientApi,
  CurrentSession,
  HeaderText,
  OperatorApi,
  RemoteAddress,
  SessionIfAny,
} from './callers/authentication.js';
export { addressOf } from './callers/client-addresses.js';
export { bearerToken, credentialOf } from './callers/credential.js';
export { csrfToken } from './callers/csrf.js';
export { OperatorToken } from './callers/operator-token.js';
export {
  SESSION_MAX_SECONDS,
  SESSION_SECONDS,
  SessionCookies,
  sessionKindsIn,
  sessionPrefix,
} from './callers/session-cookies.js';
export type { SessionKind } from './callers/session-cookies.js';
export { SignInApi } from './callers/sign-in.js';
export { HasOwnRate, WriteCharges } from './callers/write-charges.js';
export type { ChargedPrincipal } from './callers/write-charges.js';
export { bodyReader } from './bodies/body-reader.js';
export { ErrorFilter, toApiError } from './error-filter.js';
export { documentError, ErrorShape } from './error-shape.js';
export { isBlankText, IsOneLine, oneLineProblem, toOneLine } from './bodies/one-line.js';
export { Convert, emptyAsAbsent, toBoolean, toInt, Trimmed } from './bodies/conversions.js';
export { Check, IsRequired, MayBeEmpty } from './bodies/field-rules.js';
export { HttpModule } from './http.module.js';
export { parseJsonObject, UnparsedBody } from './json-body.js';
export type { RawBodyRequest } from './json-body.js';
export { Failures } from './limits/failures.js';
export { listenPrivately } from './limits/server-rules.js';
export { Slots } from './limits/slots.js';
export { Nested, NestedList } from './bodies/nested.js';
export { ExactBody } from './openapi/exact-body.js';
export { BodyExample } from './openapi/body-example.js';
export type { Sent, SentTo } from './openapi/sent.js';
export { nameOfEvent } from './openapi/sent.js';
export { describeApi, serveOpenApi } from './openapi/openapi.js';
export type { ApiDocuments } from './openapi/openapi.js';
export { EMPTY_OR_UUID, pageCursor, PageQuery, pageOf } from './page-query.js';
export type { Page } from './page-query.js';
export { PrivateRoutes } from './routes/listeners.js';
export type { PrivatePorts } from './routes/listeners.js';
export { errorOf, RestApi } from './routes/rest-api.js';
export type { RestAnswer, RestCaller, RestError, RestRequest } from './routes/rest-api.js';
export { refuseUpgrade, takeUpgrades } from './routes/upgrades.js';
export { requireScope, RequiresScope } from './callers/route-scopes.js';
export type { RequiredScope } from './callers/route-scopes.js';
export { hasScope, isSameScopes, isScope, SCOPE_DESCRIPTIONS, SCOPES } from './callers/scopes.js';
export type { GrantedScopes, Scope } from './callers/scopes.js';
export { TOKEN_PREFIXES } from './callers/token-prefixes.js';
export type { TokenPrefix } from './callers/token-prefixes.js';
export { TokenResolvers } from './callers/principals.js';
export type {
  AdminPrincipal,
  BotPrincipal,
  Principal,
  Role,
  UsedSession,
  UserPrincipal,
} from './callers/principals.js';
export { StreamedBody } from './streamed-body.js';
export {
  characters,
  IsHttpsUrl,
  IsText,
  isUuid,
  IsUuid,
  RequestValidationPipe,
  UuidParam,
} from './validation.js';
