// How does a person make and use a passkey? It proves at once that they have it and that it knows them, so it counts as both factors.

import { randomBytes } from 'node:crypto'
import type { AddPasskeyRequest, PasskeyCreation, PasskeyRequest, UsedCredential } from '@ringfence/contract'
import type { Clock } from '../../core/clock.ts'
import type { Keyring } from '../../core/crypto/keyring.ts'
import { Refusal } from '../../core/errors.ts'
import { RateLimit, type RateLimitResources } from '../../core/servers/rate-limit.ts'
import type { Queryable } from '../../core/storage/database.ts'
import type { AuditedDatabase } from '../audit/audited-database.ts'
import { openPerson } from '../people/person.ts'
import { attempts, type OnFailure } from '../people/sign-in.ts'
import { findPasskey, insertPasskey, type PasskeyRow, passkeysOf, useChallenge, usePasskey } from '../store/passkeys.ts'
import { findPerson, type PersonRow } from '../store/people.ts'
import { type ChallengeScope, challengeMs, newChallenge, type OwnChallenge, ownChallenge } from './challenges.ts'
import { credentialHash, openPasskey, sealPasskey } from './passkey.ts'
import { relyingPartyOf } from './relying-party.ts'
import { algorithms, challengeIn, verifyCreated, verifyUsed } from './verify.ts'

const mostPasskeys = 10

/** A person who has proved who they are, by a passkey. */
export interface ProvedByPasskey {
  readonly person: PersonRow
  /** In the transaction of what the proof is for: neither the challenge nor this counter works again. Refuses with `passkeyRefused`. */
  use(tx: Queryable): Promise<void>
}

interface Resources {
  database: AuditedDatabase
  keyring: Keyring
  clock: Clock
  requestCounts: RateLimitResources
  /** The public URL of the service. */
  baseAddress(): string
}

export class Passkeys {
  readonly #resources: Resources
  readonly #limit: RateLimit

  constructor(resources: Resources) {
    this.#resources = resources
    this.#limit = new RateLimit('console-passkey', attempts, resources.requestCounts)
  }

  /** For a cookie of a browser in which nobody is signed in: a challenge is for this browser only. */
  newBinding(): string {
    return randomBytes(32).toString('base64url')
  }

  /** Refuses with `passkeysUnavailable`. `personId`: only their passkeys, and then refuses with `passkeyUnknown` when there is none. */
  async requestOptions(scope: ChallengeScope, personId?: string): Promise<PasskeyRequest['options']> {
    const { id: rpId } = this.#site()
    const allowCredentials = personId === undefined ? [] : await this.#credentialsOf(personId)
    if (personId !== undefined && allowCredentials.length === 0) throw new Refusal('passkeyUnknown')
    return { ...this.#timed(scope), rpId, allowCredentials, userVerification: 'required' }
  }

  /** Refuses with `passkeysUnavailable`, `passkeysTooMany` and `personBySso`. */
  async creationOptions(personId: string, binding: string): Promise<PasskeyCreation['options']> {
    const { database, keyring } = this.#resources
    const { id } = this.#site()
    const excludeCredentials = await this.#credentialsOf(personId)
    if (excludeCredentials.length >= mostPasskeys) throw new Refusal('passkeysTooMany')
    const { name, email, sso } = openPerson((await findPerson(database, personId))!, keyring)
    // Their provider says at each sign-in whether they may: nothing else may let them in.
    if (sso) throw new Refusal('personBySso')
    return {
      rp: { id, name: 'Ringfence' },
      user: { id: userHandleOf(personId), name: email, displayName: name },
      ...this.#timed({ purpose: 'add', binding }),
      pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
      excludeCredentials,
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      attestation: 'none',
    }
  }

  #site() {
    return relyingPartyOf(this.#resources.baseAddress())
  }

  #timed(scope: ChallengeScope) {
    return { challenge: newChallenge(scope, this.#resources), timeout: challengeMs }
  }

  async #credentialsOf(personId: string) {
    const { database, keyring } = this.#resources
    const type = 'public-key' as const
    return (await passkeysOf(database, personId)).map((row) => ({ type, id: openPasskey(row, keyring).credentialId }))
  }

  /** Refuses with `fieldInvalid`. @returns what stores it in a transaction that has locked the person; it refuses with `passkeysTooMany` and `fieldInvalid` */
  async add(
    personId: string,
    { name, credential }: AddPasskeyRequest,
    binding: string,
  ): Promise<(tx: Queryable) => Promise<PasskeyRow>> {
    const { keyring, clock } = this.#resources
    const invalid = (mistake: string) => new Refusal('fieldInvalid', { mistake: `credential: ${mistake}` })
    const text = challengeIn(credential)
    const challenge = text && ownChallenge(text, { purpose: 'add', binding }, { keyring, clock })
    if (!challenge) throw invalid('its challenge is unknown or has ended; begin again')
    const made = await verifyCreated(credential, text, this.#site()).catch((error: Error) => {
      throw invalid(error.message)
    })
    const hash = credentialHash(made.id, keyring)
    const sealed = sealPasskey(
      hash,
      {
        ...{ credentialId: made.id, publicKey: Buffer.from(made.publicKey).toString('base64') },
        ...{ transports: credential.response.transports ?? [], backedUp: made.backedUp, name },
      },
      keyring,
    )
    const row = { credentialHash: hash, personId, sealed, counter: made.counter, createdAt: clock.now() }
    return async (tx) => {
      await useOnce(tx, challenge, () => invalid('its challenge was used before; begin again'))
      if ((await passkeysOf(tx, personId)).length >= mostPasskeys) throw new Refusal('passkeysTooMany')
      if (!(await insertPasskey(tx, row))) throw invalid('it was added before')
      return { ...row, lastUsedAt: null }
    }
  }

  /**
   * Refuses with `passkeyRefused` and `rateLimited`. Within a change, what a proof counts and notes is no part of the change.
   */
  prove(credential: UsedCredential, scope: ChallengeScope, onFailure: OnFailure): Promise<ProvedByPasskey> {
    return this.#resources.database.aside(() => this.#prove(credential, scope, onFailure))
  }

  async #prove(credential: UsedCredential, scope: ChallengeScope, onFailure: OnFailure): Promise<ProvedByPasskey> {
    const { database, keyring, clock } = this.#resources
    const text = challengeIn(credential)
    const challenge = text && ownChallenge(text, scope, { keyring, clock })
    if (!challenge) throw refused('the request has ended, or another page or browser made it')
    const found = this.#site()
    const hash = credentialHash(credential.id, keyring)
    await this.#limit.take(Buffer.from(hash).toString('hex'), () => undefined)
    const row = await findPasskey(database, hash)
    const person = row && (await findPerson(database, row.personId))
    if (!row || !person) throw refused(unknownOrWrong)
    async function failed(factor: Parameters<OnFailure>[1], mistake: string): Promise<never> {
      await onFailure(person!, factor, true)
      throw refused(mistake)
    }
    const { userHandle } = credential.response
    const isTheirs = userHandle === userHandleOf(person.id) || (userHandle === undefined && scope.purpose === 'confirm')
    const key = Buffer.from(openPasskey(row, keyring).publicKey, 'base64')
    const counter = isTheirs ? await verifyUsed(credential, text, found, key).catch(() => undefined) : undefined
    if (counter === undefined) return failed('passkey', unknownOrWrong)
    if (row.counter > 0 && counter <= row.counter) return failed('passkeyCounter', copied)
    return {
      person,
      async use(tx) {
        await useOnce(tx, challenge, () => refused('it was used before'))
        const used = await usePasskey(tx, { credentialHash: hash, counter, at: clock.now() })
        if (!used) throw refused(copied)
      },
    }
  }
}

async function useOnce(tx: Queryable, { hash, endsAt }: OwnChallenge, refusal: () => Refusal): Promise<void> {
  if (!(await useChallenge(tx, hash, endsAt))) throw refusal()
}

const unknownOrWrong = 'it is not known here, or its answer is wrong'
const copied = 'its counter went back, so there may be a copy of it'

const refused = (mistake: string) => new Refusal('passkeyRefused', { mistake })

/** What a passkey remembers of whose it is: 36 of at most 64 bytes. */
const userHandleOf = (personId: string) => Buffer.from(personId).toString('base64url')
