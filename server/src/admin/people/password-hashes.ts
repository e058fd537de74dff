// How many passwords are hashed at once? One, and a few wait: each needs a core and 19 MiB, and strangers can ask for any number.

import { parseAddress } from '../../core/address/address.ts'
import { type NetworkOfTree, networksOf, quotaOf } from '../../core/address/network-tree.ts'
import { Refusal } from '../../core/errors.ts'
import { hashPassword, type PasswordHash, whosePassword } from './password.ts'
import { type ChosenBy, weakPasswords } from './weak-password.ts'

/** Who asks: strangers of any number of addresses leave places to people who have signed in before. */
export interface AskedBy {
  /** A session, or a browser with the cookie of an earlier sign-in of this person: the attempts of each are few. */
  readonly isKnown: boolean
  readonly address: string | undefined
}

export interface PasswordHashes {
  /** `beside`: one of the same email address. Refuses with `passwordWeak`, and with `unavailable` while too many are hashed. */
  hash(password: string, chosenBy: ChosenBy, by: AskedBy, beside?: PasswordHash): Promise<PasswordHash>
  /** Whose password it is. Refuses with `unavailable` while too many are hashed. */
  whose<T>(password: string, accounts: Parameters<typeof whosePassword<T>>[1], by: AskedBy): Promise<T[]>
}

/** They share a thread. One takes about 40 ms. */
const mostAtOnce = 1
/** Of the known, and as many of strangers. The last one of the known waits about 1.3 s. */
const mostWaiting = 32
/** Of one subscriber, and of any larger network. */
const mostWaitingOfSubscriber = 2
const mostWaitingOfNetwork = 4
const retryAfterSeconds = 2

interface Waiting {
  readonly networks: readonly NetworkOfTree[]
  readonly start: () => void
}

export function passwordHashes(work = { hashPassword, whosePassword }): PasswordHashes {
  const weak = weakPasswords()
  const known: Waiting[] = []
  const strangers: Waiting[] = []
  let running = 0

  function wait({ isKnown, address }: AskedBy): Promise<void> {
    const queue = isKnown ? known : strangers
    const networks = networksOf(address === undefined ? undefined : parseAddress(address))
    const isFull = ({ level, name }: NetworkOfTree) =>
      strangers.filter((each) => each.networks.some((other) => other.name === name)).length >=
      Math.min(quotaOf('guesses', level, mostWaitingOfSubscriber), mostWaitingOfNetwork)
    if (queue.length >= mostWaiting || (!isKnown && networks.some(isFull)))
      throw new Refusal('unavailable', { retryAfterSeconds })
    return new Promise((resolve) => void queue.push({ networks, start: resolve }))
  }

  async function inTurn<T>(by: AskedBy, task: () => Promise<T>): Promise<T> {
    if (running >= mostAtOnce) await wait(by)
    else running++
    try {
      return await task()
    } finally {
      const next = known.shift() ?? strangers.shift()
      // The place goes to the next one, so that nobody who has just come can take it.
      if (next) next.start()
      else running--
    }
  }

  return {
    async hash(password, chosenBy, by, beside) {
      weak.refuse(password, chosenBy)
      return inTurn(by, () => work.hashPassword(password, beside))
    },
    whose: (password, accounts, by) => inTurn(by, () => work.whosePassword(password, accounts)),
  }
}
