// What does a client ask the authorization endpoint for? Checked by hand: an error goes to the client or to whoever opened the page.

import { camaraNumberPattern, numberVerificationApi } from '@ringfence/contract'
import { listApps } from '../../apps/stored-apps.ts'
import type { Caller } from '../../clients/credentials.ts'
import { isApiKey } from '../../core/crypto/api-key.ts'
import { Refusal } from '../../core/errors.ts'
import { isSafeTarget } from '../../upstream/oauth/safe-target.ts'
import type { CamaraFrontNeeds } from '../room.ts'
import { readScope, scopeText } from '../scope.ts'
import type { ClientRequest } from './steps.ts'

/** Sent to the client by redirect (RFC 6749, 4.1.2.1; OpenID Connect Core 3.1.2.6). */
export class AuthorizationRefused extends Error {
  override name = 'AuthorizationRefused'
  readonly error: string
  constructor(error: string, description: string) {
    super(description)
    this.error = error
  }
}

/** Where errors for the client may be sent. */
export interface ReturnAddress {
  readonly caller: Caller
  readonly redirectUri: string
  readonly state?: string
}

/**
 * The client, and its redirect_uri: one that an app of its tenant lists, character by character, and that the client may have codes of.
 * Refuses with `fieldInvalid`, as nobody is redirected to anything else.
 */
export async function returnAddressOf(
  query: URLSearchParams,
  { clients: credentials, database }: Pick<CamaraFrontNeeds, 'clients' | 'database'>,
): Promise<ReturnAddress> {
  const clientId = only(query, 'client_id')
  const caller = clientId !== undefined && isApiKey(clientId, 'rfc') ? await credentials.live(clientId) : undefined
  if (!caller) throw wrong('client_id must be the id of a client of this service, sent once')
  const redirectUri = only(query, 'redirect_uri')
  const isListed =
    redirectUri !== undefined &&
    isSafeTarget(redirectUri) &&
    (await listApps(database, caller.tenantId)).some(
      ({ disabledAt, settings: { redirectUrls, codeClients } }) =>
        disabledAt === null && redirectUrls.includes(redirectUri) && codeClients?.includes(caller.clientId) !== false,
    )
  if (!isListed)
    throw wrong(
      'redirect_uri must be one of the redirectUrls of an app of the client, character by character, sent once',
    )
  const state = query.get('state')
  return { caller, redirectUri, ...(state !== null && state.length <= longest.state && { state }) }
}

const longest = { state: 2048, nonce: 512 }

/** Throws AuthorizationRefused. */
export function readAuthorizationRequest(
  query: URLSearchParams,
  { caller, redirectUri, state }: ReturnAddress,
): ClientRequest & { readonly phoneNumber: string } {
  for (const name of new Set(query.keys()))
    if (query.getAll(name).length > 1)
      throw invalid(`${/^[a-z_]{1,32}$/.test(name) ? name : 'a parameter'} is repeated`)
  if (query.has('request')) throw new AuthorizationRefused('request_not_supported', 'send parameters, not a JWT')
  if (query.has('request_uri')) throw new AuthorizationRefused('request_uri_not_supported', 'send parameters')
  if (query.get('response_type') !== 'code')
    throw new AuthorizationRefused('unsupported_response_type', 'response_type must be code')
  if (caller.restrictions?.scopes?.has('telecom') === false)
    throw new AuthorizationRefused('unauthorized_client', 'the client lacks the scope telecom')
  if ((query.get('state')?.length ?? 0) > longest.state) throw invalid(`state is longer than ${longest.state}`)
  const nonce = query.get('nonce') ?? undefined
  if ((nonce?.length ?? 0) > longest.nonce) throw invalid(`nonce is longer than ${longest.nonce}`)
  if (!['none', null].includes(query.get('prompt')))
    throw invalid('prompt must be none: the network identifies the phone')
  if (!['query', null].includes(query.get('response_mode'))) throw invalid('response_mode must be query')
  const challenge = query.get('code_challenge') ?? ''
  if (query.get('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(challenge))
    throw invalid('send code_challenge with code_challenge_method=S256 (RFC 7636)')
  const phoneNumber = hintedNumber(query.get('login_hint') ?? '')
  if (phoneNumber === undefined)
    throw invalid('send login_hint=tel:+ and the number that the phone may have: it says which operator to ask')
  const asked = readAskedScope(query.get('scope') ?? '')
  return {
    ...{ ...asked, phoneNumber, redirectUri, challenge },
    ...(state !== undefined && { state }),
    ...(nonce !== undefined && { nonce }),
  }
}

const numberForm = new RegExp(camaraNumberPattern)

/** The digits of `tel:+917020141726`. */
function hintedNumber(hint: string): string | undefined {
  const number = hint.slice('tel:'.length)
  return hint.startsWith('tel:') && numberForm.test(number) ? number.slice(1) : undefined
}

function readAskedScope(text: string) {
  if (text.length > 1000 || !text.split(' ').includes('openid')) throw scopeRefused('scope must contain openid')
  const { verify, share } = numberVerificationApi
  try {
    const scope = readScope(text)
    const [only, ...others] = scope.allowed
    if (others.length > 0 || (only !== verify.scope && only !== share.scope))
      throw scopeRefused(`scope must name either ${verify.scope} or ${share.scope}: a token is for one call`)
    const asks: ClientRequest['asks'] = only === share.scope ? 'number' : 'match'
    return { scope: scopeText(scope), asks }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw scopeRefused(error.details.mistake ?? 'scope is wrong')
  }
}

const only = (query: URLSearchParams, name: string): string | undefined => {
  const [value, ...others] = query.getAll(name)
  return others.length > 0 ? undefined : value
}

const wrong = (mistake: string) => new Refusal('fieldInvalid', { mistake })
const invalid = (description: string) => new AuthorizationRefused('invalid_request', description)
const scopeRefused = (description: string) => new AuthorizationRefused('invalid_scope', description)
