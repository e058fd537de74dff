// Which agents sign their requests by Web Bot Auth? What the configuration file says of each.

import Type, { type Static } from 'typebox'
import { PublishedUrl } from '../address/called-url.ts'

/** What a bot is for, by its operator. */
export const botCategories = [
  'searchEngine',
  'aiCrawler',
  'aiAssistant',
  'aiAgent',
  'seo',
  'monitoring',
  'preview',
  'feed',
  'advertising',
  'archive',
] as const
export type BotCategory = (typeof botCategories)[number]

const httpsOrigin = '^https://[^/?#@\\s]+$'

/** An agent that signs its requests, under a name of your choice in the configuration file. */
export const SignatureAgent = Type.Object(
  {
    url: PublishedUrl(
      'Its key directory: a JSON Web Key Set, usually at /.well-known/http-message-signatures-directory. Use file:// for a copy of your own',
    ),
    name: Type.String({ minLength: 1, maxLength: 64, description: 'The name that rules and reports show' }),
    operator: Type.String({ minLength: 1, maxLength: 64, description: 'Who operates it' }),
    category: Type.Enum(botCategories, { description: 'What it is for' }),
    agent: Type.Optional(
      Type.String({
        pattern: httpsOrigin,
        description: 'Its origin, as it sends it in Signature-Agent. Needed if the URL of its directory is a file',
      }),
    ),
  },
  { additionalProperties: false },
)
export type SignatureAgent = Static<typeof SignatureAgent>

export type SignatureAgents = Readonly<Record<string, SignatureAgent>>

/** Where a directory is below an origin (draft-ietf-webbotauth-httpsig-protocol, Signature-Agent of the type `directory`). */
export const wellKnownDirectory = '/.well-known/http-message-signatures-directory'

/** The URL by which an agent is identified: that of its directory without query and fragment. Undefined if it is not one. */
export function identityOf({ url, agent }: Pick<SignatureAgent, 'url' | 'agent'>): string | undefined {
  return agent === undefined ? identifierOf(url) : identifierOf(`${agent}${wellKnownDirectory}`)
}

/** Normalised, so that two spellings of a URL are equal. Undefined for anything but an https URL without credentials. */
export function identifierOf(text: string): string | undefined {
  const url = URL.parse(text)
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return undefined
  return `${url.origin}${url.pathname}`
}
