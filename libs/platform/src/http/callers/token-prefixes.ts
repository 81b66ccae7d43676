/**
 * Prefixes of the tokens that Tieline issues. This is the only list: code that creates, resolves or
 * redacts tokens takes the prefix from here, so that no kind is left out where secrets are removed
 * from logs.
 */
export const TOKEN_PREFIXES = {
  appAccess: 'tla_',
  appRefresh: 'tlf_',
  bot: 'tlb_',
  capability: 'tlc_',
  clientSecret: 'tlk_',
  invite: 'tli_',
  operatorSession: 'tlo_',
  person: 'tlu_',
  portal: 'tlp_',
  response: 'tlr_',
  session: 'tls_',
  trigger: 'tlt_',
} as const;

/** One of {@link TOKEN_PREFIXES}. */
export type TokenPrefix = (typeof TOKEN_PREFIXES)[keyof typeof TOKEN_PREFIXES];
