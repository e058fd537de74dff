// Who signs in to the console? Checks password and second factor, within limits that nobody can use to lock others out for long.

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../core/clock.ts'
import type { Keyring } from '../../core/crypto/keyring.ts'
import { Refusal } from '../../core/errors.ts'
import { RateLimit, type RateLimitResources } from '../../core/servers/rate-limit.ts'
import type { Database } from '../../core/storage/database.ts'
import { readRecoveryCode } from '../../sign-in/authentication/one-time-code.ts'
import { type PersonRow, useCodeStep, useRecoveryCode } from '../store/people.ts'
import type { PasswordHashes } from './password-hashes.ts'
import { emailHash, openPerson, peopleWithEmail } from './person.ts'
import { readTotp, stepOfCode } from './totp.ts'

export interface Proof {
  readonly email: string
  readonly password: string
  readonly code?: string | undefined
  readonly recoveryCode?: string | undefined
  /** The cookie that an earlier sign-in left in this browser. */
  readonly browserToken?: string | undefined
  /** From where. */
  readonly address?: string | undefined
}

/**
 * Attempts of one person in ten minutes: by browsers in which the person signed in before, and by all others together. An attacker
 * can only use up the second (OWASP, Slow Down Online Guessing Attacks with Device Cookies). The second is one for all accounts of an email
 * address.
 */
export const attempts = { perSecond: 10 / 600, burst: 10 }

/** What a person has proved who they are with. A passkey is both: they have it, and it has checked them. */
export type Factor = 'password' | 'authenticatorApp' | 'recoveryCode' | 'passkey' | 'identityProvider'

export const factorsOf = ({ recoveryCode }: Partial<Proof>): readonly Factor[] => [
  'password',
  recoveryCode === undefined ? 'authenticatorApp' : 'recoveryCode',
]

/**
 * Hears of each failed attempt for somebody who has an account: at most as many as `attempts` allows, so that nobody can flood the audit
 * log. `factor`: what was wrong. `isTheirs`: false when it may be somebody with an account of another tenant and the same email address.
 */
export type OnFailure = (
  person: PersonRow,
  factor: 'password' | 'code' | 'codeMissing' | 'recoveryCode' | 'passkey' | 'passkeyCounter',
  isTheirs: boolean,
) => Promise<void>

interface Resources {
  database: Database
  keyring: Keyring
  clock: Clock
  requestCounts: RateLimitResources
  passwords: PasswordHashes
}

export class SignIn {
  readonly #resources: Resources
  readonly #limit: RateLimit

  constructor(resources: Resources) {
    this.#resources = resources
    this.#limit = new RateLimit('console-sign-in', attempts, resources.requestCounts)
  }

  /** For the cookie that lets this browser try again when strangers have used up their attempts. */
  browserTokenOf({ id }: Pick<PersonRow, 'id'>): string {
    const key = this.#resources.keyring.hashSecret('browsers of people')
    return createHmac('sha256', key).update(id).digest('base64url')
  }

  #isBrowserOf(person: PersonRow, token: string | undefined): boolean {
    const [sent, expected] = [Buffer.from(token ?? ''), Buffer.from(this.browserTokenOf(person))]
    return sent.length === expected.length && timingSafeEqual(sent, expected)
  }

  async #isSecondFactor(person: PersonRow, { code, recoveryCode }: Proof): Promise<boolean> {
    const { database, keyring, clock } = this.#resources
    if (recoveryCode !== undefined) return useRecoveryCode(database, person.id, recoveryCodeHash(recoveryCode, keyring))
    const { totpSecret } = openPerson(person, keyring)
    if (totpSecret === undefined) return false
    const step = stepOfCode(code!, Buffer.from(totpSecret, 'base64'), clock.now())
    return step !== undefined && useCodeStep(database, person.id, step)
  }

  /**
   * The person, among these or all with the email address: the one whose password and second factor these are. Refuses with
   * `consoleSignInFailed`, `secondFactorMissing` or `rateLimited`. A code works once.
   */
  async prove(typed: Proof, onFailure: OnFailure, among?: readonly PersonRow[]): Promise<PersonRow> {
    const { database, keyring, passwords } = this.#resources
    const proof = typed.code === undefined ? typed : { ...typed, code: readTotp(typed.code) }
    const { password, code, recoveryCode, browserToken, address } = proof
    const hash = emailHash(proof.email, keyring)
    const people = among ?? (await peopleWithEmail(database, proof.email, keyring))
    const own = people.find((person) => this.#isBrowserOf(person, browserToken))
    const takeOther = () => this.#limit.take(`${Buffer.from(hash).toString('hex')} other`, noHeaders)
    await (own ? this.#limit.take(`${own.id} known`, noHeaders) : takeOther())
    const accounts = people.flatMap((person) => {
      const stored = openPerson(person, keyring).password
      return stored ? [{ of: person, hash: stored }] : []
    })
    const matching = await passwords.whose(password, accounts, { isKnown: own !== undefined, address })

    /** The one of these, or undefined after notes of what was wrong. */
    const proved = async (candidates: readonly PersonRow[]): Promise<PersonRow | undefined> => {
      const matched = candidates.filter((person) => matching.includes(person))
      if (matched.length === 0) {
        if (matching.length === 0) for (const each of candidates) await onFailure(each, 'password', each === own)
        return undefined
      }
      if (code === undefined && recoveryCode === undefined) {
        // In their own browsers people send the password first; elsewhere somebody else may know it.
        for (const each of matched) if (each !== own) await onFailure(each, 'codeMissing', true)
        throw new Refusal('secondFactorMissing')
      }
      for (const each of matched) if (await this.#isSecondFactor(each, proof)) return each
      for (const each of matched) await onFailure(each, recoveryCode === undefined ? 'code' : 'recoveryCode', true)
      return undefined
    }

    let found = await proved(own ? [own] : people)
    // In a browser of one account, the others are as far away as from any other browser.
    if (!found && own && !among && (await takeOther().then(() => true, isSpent)))
      found = await proved(people.filter((person) => person !== own))
    if (!found) throw new Refusal('consoleSignInFailed')
    return found
  }
}

const noHeaders = () => undefined

/** Then it is a wrong password: nothing shows whether there was another account to try. */
function isSpent(error: unknown): false {
  if (error instanceof Refusal && error.failure === 'rateLimited') return false
  throw error
}

export const recoveryCodeHash = (code: string, keyring: Pick<Keyring, 'hashSecret'>): Uint8Array =>
  keyring.hashSecret(`recovery code ${readRecoveryCode(code)}`)
