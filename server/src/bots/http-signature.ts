// Which Web Bot Auth signatures does a request have, and does one of them hold? (RFC 9421; draft-ietf-webbotauth-httpsig-protocol)

import { type RequestDescriptor, type Verifier, verifySignature } from 'http-message-sig'
import { type BareItem, type Item, isInnerList, parseDictionary, parseItem, Token } from 'structured-headers'
import type { SignedRequest } from '../core/call.ts'
import { identifierOf, wellKnownDirectory } from '../core/config/bot-settings.ts'

/** A signature with the tag of Web Bot Auth, as the request claims it. Nothing of it is verified. */
export interface ClaimedSignature {
  readonly label: string
  readonly keyid: string
  readonly nonce?: string
  /** Epoch seconds. */
  readonly created: number
  readonly expires: number
  /** The URL that identifies the agent; absent when the request names none. */
  readonly agentUrl?: string
  /** The component of Signature-Agent that the signature must cover; absent when the request has no such header. */
  readonly agentComponent?: { readonly name: 'signature-agent'; readonly parameters: { readonly key?: string } }
}

/** The signature cannot be used. The message says why. */
export class SignatureRefused extends Error {}

const tag = 'web-bot-auth'
/** Longer headers are not parsed. */
const longestHeader = 4096
/** Each costs a verification. */
const mostSignatures = 3
/** Clocks of agents may differ by this much, in seconds. */
export const clockSkew = 60
/** A signature older than this is refused, whatever its `expires` says: it could be replayed. In seconds. */
export const longestAge = 86_400

/**
 * The labels of the first signatures with the tag `web-bot-auth`: proxies may add their own. Empty when there is none, so that the
 * request claims nothing. Throws a SignatureRefused when the header is malformed.
 */
export function labelsOf({ headers }: Pick<SignedRequest, 'headers'>): string[] {
  const input = headers['signature-input']
  if (input === undefined || !input.includes(tag)) return []
  const entries = [...dictionaryOf(input, 'Signature-Input')]
  const tagged = entries.filter(([, [, parameters]]) => parameters.get('tag') === tag)
  return tagged.slice(0, mostSignatures).map(([label]) => label)
}

/** Throws a SignatureRefused when the signature lacks what the protocol requires. */
export function claimedSignature({ headers }: Pick<SignedRequest, 'headers'>, label: string): ClaimedSignature {
  const member = dictionaryOf(headers['signature-input'] ?? '', 'Signature-Input').get(label)
  if (!member) throw new SignatureRefused('Signature-Input does not have it')
  const [, parameters] = member
  const { keyid, nonce, created, expires } = Object.fromEntries(parameters)
  if (typeof keyid !== 'string') throw new SignatureRefused('it has no keyid')
  if (!Number.isInteger(created) || !Number.isInteger(expires)) {
    throw new SignatureRefused('created and expires are missing')
  }
  const components = isInnerList(member) ? member[0] : []
  const names = components.map(([name]) => name)
  if (!names.includes('@authority') && !names.includes('@target-uri')) {
    throw new SignatureRefused('it covers neither @authority nor @target-uri')
  }
  return {
    label,
    keyid,
    created: created as number,
    expires: expires as number,
    ...(typeof nonce === 'string' && { nonce }),
    ...agentOf(headers['signature-agent'], label, components),
  }
}

/**
 * Signature-Agent is a dictionary; earlier drafts had a string, which agents still send. Of a dictionary, the member under the label
 * of the signature counts, else the one that the signature covers.
 */
function agentOf(
  header: string | undefined,
  label: string,
  components: readonly Item[],
): Pick<ClaimedSignature, 'agentUrl' | 'agentComponent'> {
  if (header === undefined) return {}
  const name = 'signature-agent'
  if (header.trimStart().startsWith('"')) {
    const [value] = parsed('Signature-Agent', () => parseItem(checked(header, 'Signature-Agent')))
    return { ...urlOf(value, 'directory'), agentComponent: { name, parameters: {} } }
  }
  const members = dictionaryOf(header, 'Signature-Agent')
  const covered = components.flatMap(([component, parameters]) => (component === name ? [parameters.get('key')] : []))
  const key = members.has(label) ? label : covered.find((each) => typeof each === 'string' && members.has(each))
  if (typeof key !== 'string') throw new SignatureRefused('it covers no member of Signature-Agent')
  const [value, parameters] = members.get(key) as Item
  const type = parameters.get('type')
  return {
    ...urlOf(value, type === undefined ? 'directory' : type instanceof Token ? type.toString() : ''),
    agentComponent: { name, parameters: { key } },
  }
}

/** A directory is named by its origin, a `jwks_uri` by its URL. Any other type is not supported. */
function urlOf(value: unknown, type: string): { agentUrl: string } {
  const named = typeof value === 'string' ? value : ''
  const isOrigin = /^https:\/\/[^/?#]+\/?$/i.test(named)
  const directory = type === 'directory' && isOrigin ? URL.parse(wellKnownDirectory, named)?.href : undefined
  const agentUrl = identifierOf(directory ?? (type === 'jwks_uri' ? named : ''))
  if (agentUrl === undefined) throw new SignatureRefused('Signature-Agent names no supported URL of a directory')
  return { agentUrl }
}

/** Throws a SignatureRefused when the signature does not hold with this key at this time (epoch seconds). */
export async function verify(
  { method, targetUri, headers }: SignedRequest,
  { label, agentComponent }: Pick<ClaimedSignature, 'label' | 'agentComponent'>,
  verifier: Verifier,
  now: number,
): Promise<void> {
  const message: RequestDescriptor = {
    kind: 'request',
    method,
    targetUri,
    fields: Object.entries(headers).map(([name, value]) => ({ name, value })),
  }
  try {
    await verifySignature(message, {
      label,
      policy: {
        algorithms: [verifier.algorithm],
        requiredComponents: agentComponent ? [agentComponent] : [],
        requiredParameters: ['created', 'keyid'],
        maxAge: longestAge,
        clockSkew,
        now,
      },
      resolveVerifier: () => verifier,
    })
  } catch (error) {
    throw new SignatureRefused((error as Error).message, { cause: error })
  }
}

type Members = ReadonlyMap<string, readonly [unknown, ReadonlyMap<string, BareItem>]>

const dictionaryOf = (header: string, name: string) =>
  parsed(name, () => parseDictionary(checked(header, name))) satisfies Members

function checked(header: string, name: string): string {
  if (header.length > longestHeader) throw new SignatureRefused(`${name} has more than ${longestHeader} characters`)
  return header
}

function parsed<Value>(name: string, parse: () => Value): Value {
  try {
    return parse()
  } catch (cause) {
    if (cause instanceof SignatureRefused) throw cause
    throw new SignatureRefused(`${name} is malformed`, { cause })
  }
}
