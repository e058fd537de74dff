// At which URL do authorization servers return people and phones to us? At one for each connection, which says whose answer it is.
//
// RFC 9700, 4.4.2.2. The shared URL of earlier versions serves only an installation with one connection of the kind.

import Type, { type Static } from 'typebox'

export const CallbackSetting = Type.Enum(['own', 'shared'], {
  default: 'own',
  description:
    'the redirect URI: own ends with the name of this connection; shared is that of earlier versions, while the new one is not registered yet, and only possible with one connection of the kind',
})
export type CallbackSetting = Static<typeof CallbackSetting>

export interface Connection {
  readonly name: string
  readonly callback?: CallbackSetting | undefined
}

/** A name is part of a URL. */
const nameForm = /^[A-Za-z0-9_-]{1,64}$/

/** Where one connection returns people to. `base` is the public URL of this service with the path of the kind. */
export const callbackUrl = (base: string, { name, callback }: Connection): string =>
  callback === 'shared' ? base : `${base}/${name}`

/** Throws an error that names the key, for connections that would share a URL. `part`: of the configuration file. */
export function checkCallbacks(part: string, connections: readonly Connection[]): void {
  for (const { name, callback } of connections) {
    if (!nameForm.test(name))
      throw new Error(`${part}.${name}: its callback URL ends with its name; use at most 64 letters, digits, - and _`)
    if (callback === 'shared' && connections.length > 1) {
      const others = connections.flatMap((other) => (other.name === name ? [] : [other.name])).join(', ')
      throw new Error(
        `${part}.${name}: callback is shared, which needs one connection, and there is ${others} too; register the callback URL that ends with /${name}, and leave callback out`,
      )
    }
  }
}

/** Where an answer arrived. */
export interface Arrival {
  /** The last part of the path; absent at the shared URL. */
  readonly connection?: string | undefined
  /** Whether there is one connection of the kind. */
  readonly isAlone: boolean
}

/**
 * Whether an answer came back where its attempt was to come back. Whoever uses the link of a hostile server has its state, but the honest
 * server redirects only to its own URL.
 */
export function cameBackTo(redirectUri: string, { connection, isAlone }: Arrival, path: string): boolean {
  const { pathname } = new URL(redirectUri)
  if (connection === undefined) return isAlone && pathname.endsWith(path)
  return pathname.endsWith(`${path}/${connection}`)
}
