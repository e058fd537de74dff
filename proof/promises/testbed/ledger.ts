// Are acknowledged writes still correct? Credentials and tokens to be accepted or refused, and stored answers.

import { endpoints } from '@ringfence/contract'
import type { IssuedCredentials } from '../../../server/src/clients/credentials.ts'
import { eachOf, type Judge } from '../promise.ts'

type Expected = 'accepted' | 'refused' | 'either'

/** Everything that the service acknowledged; a change in flight makes an entry `either`. */
export class Ledger {
  readonly #pairs = new Map<string, IssuedCredentials & { expected: Expected }>()
  readonly #kept = new Map<string, IssuedCredentials>()
  readonly #tokens = new Map<string, { expected: Expected; client: IssuedCredentials }>()
  /** Keys of entries that changed since they were compared. */
  readonly #fresh = new Set<string>()

  expect(expected: Expected, pair: IssuedCredentials): void {
    this.#pairs.set(pair.clientSecret, { ...pair, expected })
    this.#fresh.add(pair.clientSecret)
  }

  /** An answer about this number was stored for reuse. */
  expectKept(phoneNumber: string, client: IssuedCredentials): void {
    this.#kept.set(phoneNumber, client)
    this.#fresh.add(phoneNumber)
  }

  expectToken(expected: Expected, token: string, client: IssuedCredentials): void {
    this.#tokens.set(token, { expected, client })
    this.#fresh.add(token)
  }

  get entries(): number {
    return this.#pairs.size + this.#kept.size + this.#tokens.size
  }

  /**
   * Checks entries against the service, and complains about every one that differs. `freshOnly`: those that changed since the last
   * comparison, since a program that compares often would compare the same ones for hours.
   */
  async compare(url: string, complaints: Judge, { freshOnly = false } = {}): Promise<void> {
    const fresh = new Set(this.#fresh)
    this.#fresh.clear()
    const of = <Entry>(entries: ReadonlyMap<string, Entry>) =>
      freshOnly ? [...entries].filter(([key]) => fresh.has(key)) : [...entries]
    await eachOf(of(this.#pairs), 16, async ([, { expected, ...pair }]) => {
      if (expected === 'either') return
      // An invalid number: accepted credentials get a 400, and no operator is called.
      const { status } = await post(url, endpoints.portability.path, pair, { phoneNumber: '1' })
      const holds = status === (expected === 'accepted' ? 400 : 401)
      complaints.unless(holds, () => `credentials that must be ${expected} are answered ${status}: ${pair.clientId}`)
    })
    await eachOf(of(this.#kept), 16, async ([phoneNumber, client]) => {
      const { status, age } = await post(url, endpoints.simSwapCheck.path, client, { phoneNumber })
      complaints.unless(
        status === 200 && age !== null,
        () => `a stored answer is lost: ${phoneNumber}, status ${status}`,
      )
    })
    await eachOf(of(this.#tokens), 16, async ([token, { expected, client }]) => {
      if (expected === 'either') return
      const { status } = await post(url, endpoints.validateToken.path, client, { token })
      const holds = status === (expected === 'accepted' ? 200 : 400)
      complaints.unless(holds, () => `a token that must be ${expected} is answered ${status}`)
    })
  }
}

/** As a backend, wherever the service listens now. */
export const post = (url: string, path: string, { clientId, clientSecret }: IssuedCredentials, body: unknown) =>
  postJson(url + path, { clientId, clientSecret }, body)

/** Sends a body as JSON. `age` is the age header of a reused answer. */
export async function postJson(url: string, headers: Readonly<Record<string, string>>, body: unknown) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, age: response.headers.get('age'), headers: response.headers, text }
}
