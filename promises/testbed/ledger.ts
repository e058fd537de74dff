// What was acknowledged to us, and is it so? Credentials and tokens to be accepted or refused, answers that must have been kept.

import { endpoints } from '@ringfence/contract'
import type { IssuedCredentials } from '../../server/src/clients/credentials.ts'
import { type Complaints, eachOf } from '../promise.ts'

type Expected = 'accepted' | 'refused' | 'either'

/** Everything that the service has acknowledged so far; a change under way makes an entry `either`. */
export class Ledger {
  readonly #pairs = new Map<string, IssuedCredentials & { expected: Expected }>()
  readonly #kept = new Map<string, IssuedCredentials>()
  readonly #tokens = new Map<string, { expected: Expected; asker: IssuedCredentials }>()

  expect(expected: Expected, pair: IssuedCredentials): void {
    this.#pairs.set(pair.clientSecret, { ...pair, expected })
  }

  /** An answer about this number was kept for reuse. */
  expectKept(phoneNumber: string, asker: IssuedCredentials): void {
    this.#kept.set(phoneNumber, asker)
  }

  expectToken(expected: Expected, token: string, asker: IssuedCredentials): void {
    this.#tokens.set(token, { expected, asker })
  }

  get entries(): number {
    return this.#pairs.size + this.#kept.size + this.#tokens.size
  }

  /** Asks the service for each entry, and complains of every one that is not as acknowledged. */
  async compare(url: string, complaints: Complaints): Promise<void> {
    await eachOf([...this.#pairs.values()], 16, async ({ expected, ...pair }) => {
      if (expected === 'either') return
      // Not a number: whoever is accepted is told so, and nothing is asked upstream.
      const { status } = await post(url, endpoints.portability.path, pair, { phoneNumber: '1' })
      const holds = status === (expected === 'accepted' ? 400 : 401)
      complaints.unless(holds, () => `credentials that must be ${expected} are answered ${status}: ${pair.clientId}`)
    })
    await eachOf([...this.#kept], 16, async ([phoneNumber, asker]) => {
      const { status, age } = await post(url, endpoints.simSwapCheck.path, asker, { phoneNumber })
      complaints.unless(status === 200 && age !== null, () => `a kept answer is lost: ${phoneNumber}, status ${status}`)
    })
    await eachOf([...this.#tokens], 16, async ([token, { expected, asker }]) => {
      if (expected === 'either') return
      const { status } = await post(url, endpoints.validateToken.path, asker, { token })
      const holds = status === (expected === 'accepted' ? 200 : 400)
      complaints.unless(holds, () => `a token that must be ${expected} is answered ${status}`)
    })
  }

  /** Forgets all, for a new data folder, or where only what comes now matters. */
  clear(): void {
    this.#pairs.clear()
    this.#kept.clear()
    this.#tokens.clear()
  }
}

/** Sends a body as JSON. `age` is that of a reused answer. */
export async function post(url: string, path: string, { clientId, clientSecret }: IssuedCredentials, body: unknown) {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', clientId, clientSecret },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, age: response.headers.get('age'), headers: response.headers, text }
}
