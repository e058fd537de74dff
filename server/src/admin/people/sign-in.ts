// Who signs in to the console? Checks password and second factor, within limits that nobody can use to lock others out for long.

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import type { Keyring } from '../../crypto/keyring.ts'
import { Refusal } from '../../errors.ts'
import { type RateLimitResources, rateLimit } from '../../http/rate-limit.ts'
import { type PersonRow, useCodeStep, useRecoveryCode } from '../../storage/admin/people.ts'
import type { Database } from '../../storage/database.ts'
import type { PasswordHashes } from './password-hashes.ts'
import { emailHash, findByEmail, openPerson } from './person.ts'
import { stepOfCode } from './totp.ts'

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
 * can only use up the second (OWASP, Slow Down Online Guessing Attacks with Device Cookies).
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
 * log. `factor`: what was wrong.
 */
export type OnFailure = (
  person: PersonRow,
  factor: 'password' | 'code' | 'codeMissing' | 'recoveryCode' | 'passkey' | 'passkeyCounter',
) => Promise<void>

export interface SignIn {
  /** The person. Refuses with `consoleSignInFailed`, `secondFactorMissing` or `rateLimited`. A code works once. */
  prove(proof: Proof, onFailure: OnFailure): Promise<PersonRow>
  /** For the cookie that lets this browser try again when strangers have used up their attempts. */
  browserTokenOf(person: Pick<PersonRow, 'emailHash'>): string
}

interface Resources {
  database: Database
  keyring: Keyring
  clock: Clock
  requestCounts: RateLimitResources
  passwords: PasswordHashes
}

export function signIn({ database, keyring, clock, requestCounts, passwords }: Resources): SignIn {
  const limit = rateLimit('console-sign-in', attempts, requestCounts)
  const browserTokenOf = ({ emailHash: hash }: Pick<PersonRow, 'emailHash'>) =>
    createHmac('sha256', keyring.hashSecret('browsers of people')).update(hash).digest('base64url')

  const isKnownBrowser = (token: string | undefined, hash: Uint8Array) => {
    const [sent, expected] = [Buffer.from(token ?? ''), Buffer.from(browserTokenOf({ emailHash: hash }))]
    return sent.length === expected.length && timingSafeEqual(sent, expected)
  }

  async function isSecondFactor(person: PersonRow, { code, recoveryCode }: Proof): Promise<boolean> {
    if (recoveryCode !== undefined) return useRecoveryCode(database, person.id, recoveryCodeHash(recoveryCode, keyring))
    const { totpSecret } = openPerson(person, keyring)
    if (totpSecret === undefined) return false
    const step = stepOfCode(code!, Buffer.from(totpSecret, 'base64'), clock.now())
    return step !== undefined && useCodeStep(database, person.id, step)
  }

  return {
    browserTokenOf,
    async prove(proof, onFailure) {
      async function failed(known: PersonRow | undefined, factor: Parameters<OnFailure>[1]): Promise<never> {
        if (known) await onFailure(known, factor)
        throw new Refusal('consoleSignInFailed')
      }
      const hash = emailHash(proof.email, keyring)
      const isKnown = isKnownBrowser(proof.browserToken, hash)
      await limit.take(`${Buffer.from(hash).toString('hex')} ${isKnown ? 'known' : 'other'}`, () => undefined)
      const person = await findByEmail(database, proof.email, keyring)
      const stored = person && openPerson(person, keyring).password
      const by = { isKnown, address: proof.address }
      if (!(await passwords.matches(proof.password, stored, by)) || !person) return failed(person, 'password')
      if (proof.code === undefined && proof.recoveryCode === undefined) {
        // In their own browsers people send the password first; elsewhere somebody else may know it.
        if (!isKnown) await onFailure(person, 'codeMissing')
        throw new Refusal('secondFactorMissing')
      }
      if (!(await isSecondFactor(person, proof)))
        return failed(person, proof.recoveryCode === undefined ? 'code' : 'recoveryCode')
      return person
    },
  }
}

/** People type spaces, dashes and capitals. */
export const recoveryCodeHash = (code: string, keyring: Pick<Keyring, 'hashSecret'>): Uint8Array =>
  keyring.hashSecret(`recovery code ${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`)
