// Who may create an account? Whoever has a one-time link, until it ends.

import { randomBytes } from 'node:crypto'
import type { AcceptInvitationRequest } from '@ringfence/contract'
import type { Keyring, TenantKeys } from '../../core/crypto/keyring.ts'
import type { Queryable } from '../../core/storage/database.ts'
import type { Actor } from '../actor.ts'
import { insertInvitation } from '../store/people.ts'
import { emailHash } from './person.ts'
import { readTotp, stepOfCode } from './totp.ts'

/** The console's address. At localhost, every browser accepts its cookie without TLS; at 127.0.0.1, Firefox does not. */
export const consoleUrl = (baseUrl: string): string =>
  `${baseUrl.replace(/^http:\/\/(127\.0\.0\.1|\[::1\])(?=:|$)/, 'http://localhost')}/console`

/** `#` keeps the link out of logs: browsers do not send what follows. */
export const linkUrl = (baseUrl: string, link: string): string => `${consoleUrl(baseUrl)}/welcome#${link}`

export const linkHash = (link: string, keyring: Pick<Keyring, 'hashSecret'>): Uint8Array =>
  keyring.hashSecret(`invitation ${link}`)

const totpContext = (link: string): string => `authenticator app ${link}`

/**
 * A new secret for an authenticator app. The browser sends it back sealed, for this link only, so that nothing is stored before the link is
 * accepted. Each opening has another secret: whoever read the link before does not know it.
 */
export function newTotpSecret(
  link: string,
  { service }: Pick<Keyring, 'service'>,
): { secret: Uint8Array; sealed: string } {
  const secret = randomBytes(20)
  const sealed = service.seal(secret.toString('base64'), totpContext(link))
  return { secret, sealed: Buffer.from(sealed).toString('base64url') }
}

/** Undefined when it was sealed for another link, or is not ours. */
export function openTotpSecret(
  sealed: string | undefined,
  link: string,
  { service }: Pick<Keyring, 'service'>,
): Uint8Array | undefined {
  if (sealed === undefined) return undefined
  try {
    return Buffer.from(service.open(Buffer.from(sealed, 'base64url'), totpContext(link)), 'base64')
  } catch {
    return undefined
  }
}

/** What a person has set up with a link. */
export interface NewTotp {
  readonly secret: Uint8Array
  readonly lastCodeStep: number
}

/** Undefined when the code is not one of the authenticator app that the link has just set up. */
export function newTotpOf(
  { link, code, totpSetup }: Pick<AcceptInvitationRequest, 'link' | 'code' | 'totpSetup'>,
  now: number,
  keyring: Pick<Keyring, 'service'>,
): NewTotp | undefined {
  const secret = openTotpSecret(totpSetup, link, keyring)
  const lastCodeStep = secret && stepOfCode(readTotp(code), secret, now)
  return secret && lastCodeStep !== undefined ? { secret, lastCodeStep } : undefined
}

/** What the list of invitations shows, sealed under the tenant's data key. */
export interface InvitationContent {
  readonly invitedBy: string
  readonly email?: string | undefined
}

export const invitationContext = (hash: Uint8Array): string => `invitation ${Buffer.from(hash).toString('base64')}`

export interface NewLink {
  readonly tenantId: string
  readonly role: string
  readonly email?: string | undefined
  readonly expiresAt: number
  /** Whose password and second factor it resets; absent: it is for somebody new. */
  readonly personId?: string
  /** Who made it and when, for the list of invitations. */
  readonly made?: {
    readonly by: Pick<Actor, 'id' | 'name'>
    readonly at: number
    readonly keys: Pick<TenantKeys, 'seal'>
  }
}

/** @returns the link, which is nowhere stored */
export async function invite(
  database: Queryable,
  { tenantId, role, email, expiresAt, personId, made }: NewLink,
  keyring: Pick<Keyring, 'hashSecret'>,
): Promise<string> {
  const link = `rfl_${randomBytes(24).toString('hex')}`
  const hash = linkHash(link, keyring)
  const content: InvitationContent | undefined = made && { invitedBy: made.by.name, email }
  await insertInvitation(database, {
    linkHash: hash,
    ...{ tenantId, role, expiresAt },
    emailHash: email === undefined ? null : emailHash(email, keyring),
    createdAt: made?.at ?? null,
    sealed: made ? made.keys.seal(JSON.stringify(content), invitationContext(hash)) : null,
    personId: personId ?? null,
    invitedBy: made?.by.id ?? null,
  })
  return link
}
