// How does a test use the console as a person? A browser that keeps cookies, and an account by a one-time link.

import assert from 'node:assert/strict'
import { AcceptedInvitation, type AdminEndpointName, Invitation } from '@ringfence/contract'
import Value from 'typebox/value'
import type { TestService } from '../../testing/test-service.ts'
import { callAdmin } from '../testing.ts'
import { invite } from './invitation.ts'
import { codeOf } from './totp.ts'

export const password = 'correct horse battery staple'
export const maya = { name: 'Maya', email: 'maya@shop.example', password }

/** A browser: it keeps cookies, and sends the CSRF token and the sealed secret that it was given. */
export function browserOf({ url }: TestService) {
  const cookies = new Map<string, string>()
  let csrf: string | undefined
  let totpSetup: string | undefined
  const browser = {
    cookies,
    async call(name: AdminEndpointName, fields: object = {}, headers: Record<string, string> = {}) {
      const cookie = [...cookies].map(([key, value]) => `${key}=${value}`).join('; ')
      const sent = { ...(cookie && { cookie }), ...(csrf && { 'x-ringfence-csrf': csrf }), ...headers }
      const given = name === 'acceptInvitation' && totpSetup ? { totpSetup, ...fields } : fields
      const answer = await callAdmin(url, name, given, sent)
      for (const line of answer.headers.getSetCookie()) {
        const [pair = ''] = line.split('; ')
        const [key = '', value = ''] = pair.split('=')
        if (line.includes('Max-Age=0')) cookies.delete(key)
        else cookies.set(key, value)
      }
      totpSetup = answer.body?.totp?.setup ?? totpSetup
      csrf = (answer.body?.session ?? answer.body?.me?.session)?.csrfToken ?? csrf
      return answer
    },
  }
  return browser
}

export async function linkFor(
  { parts: needs, clock, tenantId: own }: TestService,
  role: string,
  { tenantId = own, email = '' } = {},
) {
  const expiresAt = clock.now() + 900_000
  return invite(needs.database, { tenantId, role, expiresAt, ...(email && { email }) }, needs.keyring)
}

export const fromBase32 = (text: string) =>
  Buffer.from(
    [...text]
      .map((c) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(c).toString(2).padStart(5, '0'))
      .join('')
      .match(/.{8}/g)!
      .map((b) => Number.parseInt(b, 2)),
  )

/** A person who is signed in by a one-time link from the command line. */
export const join = async (service: TestService, role: string = 'owner', person = maya) =>
  accept(service, await linkFor(service, role), person)

/** Accepts a one-time link in its own browser. */
export async function accept(service: TestService, link: string, person = maya) {
  const browser = browserOf(service)
  const opened = await browser.call('openInvitation', { link })
  assert.equal(opened.status, 200)
  assert.deepEqual([...Value.Errors(Invitation, opened.body)], [])
  const secret = fromBase32(opened.body.totp.secret)
  const code = () => codeOf(secret, Math.floor(service.clock.now() / 30_000))
  const accepted = await browser.call('acceptInvitation', { link, ...person, code: code() })
  assert.equal(accepted.status, 200, JSON.stringify(accepted.body))
  assert.deepEqual([...Value.Errors(AcceptedInvitation, accepted.body)], [])
  service.clock.advance({ seconds: 30 })
  const recoveryCodes = accepted.body.recoveryCodes as string[]
  return { browser, code, link, recoveryCodes, personId: accepted.body.me.person.personId as string }
}

/** The secret part of the URL of a one-time link. */
export const linkIn = ({ url }: { url: string }): string => new URL(url).hash.slice(1)
