// Which mistake of somebody who begins does a request show, and what is to do? Beside texts that the specification gives to the letter.

import { endpoints, type FailureName, type Missing } from '@ringfence/contract'
import { nameForCallers, pasteable } from '../../core/command-name.ts'
import { isApiKey } from '../../core/crypto/api-key.ts'
import type { Refusal } from '../../core/errors.ts'
import type { Progress } from '../progress.ts'
import { shownName } from '../request/body.ts'
import type { Rows } from '../rows.ts'

/** What was sent. A hint never repeats any of it: it is in a header and in the log. */
interface Sent {
  readonly header: (name: string) => string
  readonly path: string
  readonly method: string
  /** The body before it was parsed. */
  readonly text: string
  readonly rows: Pick<Rows, 'at'>
  readonly allow: string | undefined
  /** What is wrong with a field, where the notice says it. */
  readonly mistake: string | undefined
}

interface Mistake {
  readonly of: readonly FailureName[]
  readonly shows: (sent: Sent) => boolean
  readonly hint: string | ((sent: Sent) => string)
}

const credentials = ['credentialsMissing', 'credentialsInvalid'] as const
const id = ({ header }: Sent) => header('clientid')
const secret = ({ header }: Sent) => header('clientsecret')
const always = () => true
const begins = (prefix: string) => (text: string) => text.startsWith(`${prefix}_`)
const isClientId = begins('rfc')
const isSecret = begins('rfs')
const isAppId = begins('rfa')
const isSessionToken = begins('rfb')
const otherNames = ['client-id', 'client_id', 'x-client-id', 'client-secret', 'client_secret', 'x-client-secret']
const sentAs = 'Send the headers clientId (rfc_...) and clientSecret (rfs_...)'

/** The first that fits counts. */
const mistakes: readonly Mistake[] = [
  {
    of: credentials,
    shows: (sent) => isSecret(id(sent)) && isClientId(secret(sent)),
    hint: 'clientId and clientSecret are swapped: the id begins with rfc_, the secret with rfs_',
  },
  {
    of: credentials,
    shows: (sent) => isAppId(id(sent)),
    hint: 'clientId has the id of an app (rfa_...), which is for pages. A backend sends the id of a client (rfc_...): ringfence clients list',
  },
  {
    of: credentials,
    shows: ({ header }) => isSessionToken(/\S+$/.exec(header('authorization'))?.[0] ?? ''),
    hint: `This is the session token of a page (rfb_...), and this call is for a backend. ${sentAs}`,
  },
  {
    of: ['credentialsMissing'],
    shows: ({ header }) => header('appid') !== '' && header('clientid') === '',
    hint: `appId is for pages, and this call is for a backend. ${sentAs}`,
  },
  {
    of: ['credentialsMissing'],
    shows: ({ header }) => otherNames.some((name) => header(name) !== ''),
    hint: 'The headers are named clientId and clientSecret, without a hyphen, an underscore or x-',
  },
  {
    of: ['credentialsMissing'],
    shows: ({ header }) => header('authorization') !== '',
    hint: `The header Authorization is not read here. ${sentAs}`,
  },
  {
    of: ['credentialsMissing'],
    shows: (sent) => id(sent) !== '' || secret(sent) !== '',
    hint: (sent) =>
      `${id(sent) === '' ? 'clientId' : 'clientSecret'} is missing or empty: is its variable set in this shell or process?`,
  },
  {
    of: ['credentialsMissing'],
    shows: always,
    hint: `${sentAs}. In a shell, paste the export command that npm start or ringfence init printed`,
  },
  {
    of: ['credentialsInvalid'],
    shows: (sent) => [id(sent), secret(sent)].some((text) => /^["']|["']$|^\$|^<|^rf[cs]_(\.\.\.|…)/.test(text)),
    hint: 'clientId or clientSecret has quotation marks, or is the name or example of a value: send the value alone',
  },
  {
    of: ['credentialsInvalid'],
    shows: (sent) => !isApiKey(id(sent), 'rfc'),
    hint: 'clientId is not whole: it is rfc_ and 28 characters. Copy it again: ringfence clients list',
  },
  {
    of: ['credentialsInvalid'],
    shows: (sent) => secret(sent) !== '' && !isApiKey(secret(sent), 'rfs'),
    hint: 'clientSecret is not whole: it begins with rfs_, and its last characters are a checksum that does not fit. Copy it again, or make another: ringfence clients rotate',
  },
  {
    of: ['credentialsInvalid'],
    shows: always,
    hint: 'Both have the right form, but are no pair of this installation: of two clients, of another installation, replaced or revoked. Compare ringfence clients list with your variables',
  },
  {
    of: ['notFound'],
    shows: ({ path, rows }) => shorter(path).some((text) => rows.at(text).length > 0),
    hint: ({ path, rows }) => {
      const row = shorter(path).flatMap((text) => rows.at(text))[0]!
      return `The path is ${row.path}: leave out what is before it, a second slash, or one at its end. Is there a path in your base URL?`
    },
  },
  {
    of: ['methodNotAllowed'],
    shows: ({ allow }) => allow !== undefined,
    hint: ({ method, allow }) =>
      `This path takes ${allow}${method === 'GET' ? ': with curl, -d sends a body and so a POST' : ''}`,
  },
  {
    of: ['mediaTypeUnsupported'],
    shows: ({ header }) => header('content-encoding') !== '',
    hint: 'Send the body without content-encoding',
  },
  {
    of: ['mediaTypeUnsupported'],
    shows: ({ header }) => header('content-type').includes('x-www-form-urlencoded'),
    hint: "curl -d sends a form unless you add -H 'content-type: application/json'",
  },
  {
    of: ['mediaTypeUnsupported'],
    shows: always,
    hint: 'Add the header content-type: application/json. fetch sends text/plain for a text without it',
  },
  { of: ['invalidJson'], shows: ({ text }) => text.trim() === '', hint: 'The body is empty: send a JSON object' },
  {
    of: ['invalidJson'],
    shows: ({ text }) => /^\s*\{\s*'/.test(text),
    hint: 'JSON needs double quotation marks around names and texts. In a shell, put single ones around the whole body',
  },
  {
    of: ['invalidJson'],
    shows: ({ text }) => /:\s*(undefined|NaN|None|True|False)\b/.test(text),
    hint: 'undefined, NaN, None, True and False are no JSON: leave the field out, or send null, true, false or a number',
  },
  {
    of: ['invalidJson'],
    shows: ({ text }) => /[{,]\s*\w+\s*:/.test(text),
    hint: 'JSON needs double quotation marks around names, too. In a shell, put single ones around the whole body',
  },
  {
    of: ['invalidJson'],
    shows: ({ text }) => /,\s*[}\]]/.test(text),
    hint: 'JSON has no comma before a closing bracket',
  },
  {
    of: ['fieldInvalid'],
    shows: ({ text }) => /^\s*"/.test(text),
    hint: 'The body is a JSON text that contains JSON: it was turned into JSON twice. Call JSON.stringify once, or leave it to your HTTP library',
  },
  {
    of: ['fieldInvalid', 'invalidPhoneNumber'],
    shows: ({ text }) => /"phoneNumber"\s*:\s*\d/.test(text),
    hint: 'phoneNumber is a number: put it in quotation marks, so that no digit is lost',
  },
  {
    of: ['fieldInvalid'],
    shows: ({ text }) => /"action"\s*:\s*"[^"]*[a-z -][^"]*"/.test(text),
    hint: 'action is in capitals, with underscores: LOGIN, SIGNUP, PAYMENT, or your own',
  },
  {
    of: ['fieldInvalid'],
    shows: ({ text }) => text.includes('[object Object]'),
    hint: 'An object was sent as a text: pass it through JSON.stringify',
  },
  {
    of: ['appIdMalformed', 'appUnknown'],
    shows: ({ header }) => isClientId(header('appid')),
    hint: 'appId has the id of a client (rfc_...), which is for backends. A page sends the id of an app (rfa_...): ringfence apps list',
  },
  {
    of: ['appIdMalformed', 'appUnknown'],
    shows: ({ header }) => isSecret(header('appid')),
    hint: 'appId has a client secret. It must never be in a page: make another now with ringfence clients rotate, and revoke this one',
  },
  {
    of: ['appUnknown'],
    shows: always,
    hint: 'No app of this installation has this id: is it of another installation? ringfence apps list',
  },
  {
    of: ['originUnlisted'],
    shows: always,
    hint: 'Add the origin of the page to its app: ringfence apps update, or Apps and keys in the console',
  },
  {
    of: ['sessionInvalid'],
    shows: ({ header }) => isSecret(/\S+$/.exec(header('authorization'))?.[0] ?? ''),
    hint: 'This is a client secret. It must never be in a page: make another now with ringfence clients rotate, and revoke this one',
  },
  {
    of: ['tokenInvalid'],
    shows: ({ text }) => /"token"\s*:\s*"(undefined|null|)"/.test(text),
    hint: 'token is empty, or the text undefined or null: your page did not send it',
  },
  {
    of: ['tokenInvalid'],
    shows: ({ text }) => /"token"\s*:\s*"ey[\w-]*\./.test(text),
    hint: 'This is a JWT. Send the token that signIn.verify returned; an ID token is verified with the keys of /.well-known',
  },
  {
    of: ['tokenInvalid'],
    shows: ({ mistake }) => mistake === undefined,
    hint: 'No such token of this tenant: used up or revoked, of another tenant or installation, or not the whole text that signIn.verify returned',
  },
  {
    of: ['tokenExpired'],
    shows: always,
    hint: 'Send a token to your backend as soon as the page has it. This user has to sign in again',
  },
  {
    of: ['reportUnknown'],
    shows: ({ mistake }) => mistake === undefined,
    hint: 'No report of this tenant has this id: of an app of another tenant, too old, deleted, or no dfrId. Send the dfrId that fetchIntelligence returned',
  },
  {
    of: ['rateLimited'],
    shows: ({ header }) => header('clientid') !== '' && !isApiKey(header('clientid'), 'rfc'),
    hint: 'Wrong credentials came too often from your network: correct clientId and clientSecret, and wait as Retry-After says',
  },
]

/** A path without doubled slashes, the last slash, or the first parts of it. */
function shorter(path: string): string[] {
  const parts = path.split('/').filter(Boolean)
  return parts.slice(0, 4).map((_, from) => `/${parts.slice(from).join('/')}`)
}

/** Undefined when the request shows none of them. */
export function hintOf({ failure, details }: Refusal, progress: Progress, rows: Rows): string | undefined {
  const { headers, arrival, method, body } = progress
  const bytes = arrival.body
  const sent: Sent = {
    header: (name) => String(headers[name] ?? ''),
    path: arrival.path,
    method,
    text: bytes ? bytes.subarray(0, mostRead).toString() : typeof body === 'string' ? body : '',
    rows,
    allow: details.allow,
    mistake: details.mistake,
  }
  const mistake = mistakes.find(({ of, shows }) => of.includes(failure) && shows(sent))
  const hint = typeof mistake?.hint === 'function' ? mistake.hint(sent) : mistake?.hint
  return hint === undefined ? undefined : pasteable(hint, nameForCallers)
}

/** The mistakes of a body are near its start. */
const mostRead = 2_048

const notSet = /^(undefined|null|None|NaN|\[object Object\])$/

/** Of a request that is answered all the same. */
export function hintsOfBody(path: string, body: unknown): string[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return []
  return [
    ...textsOfNothing(body),
    ...textsOfNothing(Object(Reflect.get(body, 'params')), 'params.'),
    ...amountsInWords(Object(Reflect.get(body, 'params'))),
    ...(path === endpoints.decide.path && !('action' in body)
      ? [
          'no action was sent, so nothing is required and rules of an action are silent: send LOGIN, SIGNUP, PAYMENT or your own',
        ]
      : []),
  ]
}

/** Names the first field whose text is what a language prints for nothing. */
function textsOfNothing(fields: object, at = ''): string[] {
  const [name, value] = Object.entries(fields).find(([, each]) => typeof each === 'string' && notSet.test(each)) ?? []
  return name === undefined ? [] : [`${at}${shownName(name)} has the text ${value}: its variable was not set`]
}

/** `"1500.00"` compares as a number. Of `"1,500"` or `"1500 EUR"` no rule knows how much it is. */
const isAmount = /amount|price|total/i
const decimalText = /^-?\d{1,15}(\.\d{1,6})?$/

function amountsInWords(params: object): string[] {
  const isInWords = ([name, value]: [string, unknown]) =>
    isAmount.test(name) && typeof value === 'string' && /\d/.test(value) && !decimalText.test(value)
  const [name] = Object.entries(params).find(isInWords) ?? []
  if (name === undefined) return []
  return [`params.${shownName(name)} is a text that rules do not read as a number: send 1500 or "1500.00"`]
}

/** What a backend can do about a part that is missing in a decision. */
export function hintsOfMissing(missing: readonly Pick<Missing, 'what' | 'why'>[]): string[] {
  return [...new Set(missing.flatMap(({ what, why }) => missingHints[`${what} ${why}`] ?? missingHints[why] ?? []))]
}

const missingHints: Readonly<Record<string, string>> = {
  'login unknown':
    'token: no such one of this tenant: empty, used up, revoked, of another tenant, or not what signIn.verify returned',
  'login expired': 'token: it has expired; the user has to sign in again',
  'device unknown':
    'dfrId: no report of this tenant has it, or it is empty; send what fetchIntelligence returned, of an app of the same tenant',
  'operator-timeout':
    'an operator did not answer in time: wait longer with deadlineMs, or see docs/guides/monitoring.md',
  'device expired': 'dfrId: the report is too old; call fetchIntelligence for each action',
}
