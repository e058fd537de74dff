// Is this secret right, without a query for each guess? For callers of a network that has guessed too often.

import type { Clock } from '../core/clock.ts'
import { ExpiringMap } from '../core/expiring-map.ts'
import type { Database } from '../core/storage/database.ts'
import { listLiveSecrets } from './store/clients.ts'

export interface LiveSecrets {
  /**
   * Whether the client has the secret with this keyed hash. After ten wrong ones for the same client, every answer about it is no for
   * a minute. An unknown client and a wrong secret take the same steps.
   */
  isRight(clientId: string, secretHash: Uint8Array): Promise<boolean>
  /** This process has changed a secret. */
  forget(): void
}

/** A secret that another server made is known after this. One that it revoked is still verified against the store. */
const readEveryMs = 10_000
/** Of those used or made last. */
const mostSecrets = 20_000
const wrongPerMinute = 10

/** Secrets are read once a network has guessed too often, and stay in memory as keyed hashes. */
export function liveSecrets({ database, clock }: { database: Database; clock: Clock }): LiveSecrets {
  const read = new ExpiringMap<'all', Promise<Map<string, string[]>>>({ clock, ttlMs: readEveryMs, most: 1 })
  const wrong = new ExpiringMap<string, { count: number }>({ clock, ttlMs: 60_000, most: mostSecrets })

  function secretsByClient() {
    const known = read.get('all')
    if (known) return known
    // While the store fails it reports that itself: nobody is right then, and it is not asked again for each guess.
    const reading = listLiveSecrets(database, mostSecrets).then(byClient, () => new Map<string, string[]>())
    read.set('all', reading)
    return reading
  }

  return {
    async isRight(clientId, secretHash) {
      const secrets = (await secretsByClient()).get(clientId)
      const tried = wrong.get(clientId)
      if (!secrets || (tried && tried.count >= wrongPerMinute)) return false
      if (secrets.includes(textOf(secretHash))) return true
      if (tried) tried.count++
      else wrong.set(clientId, { count: 1 })
      return false
    },

    forget() {
      read.delete('all')
    },
  }
}

const textOf = (secretHash: Uint8Array) => Buffer.from(secretHash).toString('base64')

function byClient(secrets: readonly { clientId: string; secretHash: Uint8Array }[]) {
  const found = new Map<string, string[]>()
  for (const { clientId, secretHash } of secrets)
    found.set(clientId, [...(found.get(clientId) ?? []), textOf(secretHash)])
  return found
}
