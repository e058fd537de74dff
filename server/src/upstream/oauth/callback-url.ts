// At which URL do authorization servers return people and phones to us? At one for each connection, which says whose answer it is.
//
// RFC 9700, 4.4.2.2: whoever uses the link of a hostile server has its state, but the honest server redirects only to its own URL.

/** A name is part of a URL. */
const nameForm = /^[A-Za-z0-9_-]{1,64}$/

/** Where one connection returns people to. `base` is the public URL of this service with the path of the kind. */
export const callbackUrl = (base: string, name: string): string => `${base}/${name}`

/** Throws an error that names the key, for a connection whose name cannot be in a URL. `part`: of the configuration file. */
export function checkCallbacks(part: string, names: readonly string[]): void {
  for (const name of names)
    if (!nameForm.test(name))
      throw new Error(`${part}.${name}: its callback URL ends with its name; use at most 64 letters, digits, - and _`)
}

/** Whether an answer that arrived for `connection` came back where its attempt was to come back. `path`: that of the kind. */
export const cameBackTo = (redirectUri: string, connection: string, path: string): boolean =>
  new URL(redirectUri).pathname.endsWith(`${path}/${connection}`)
