// Can a tenant see or take over another tenant's sign-ins? Each call with a foreign transaction, and one number at both tenants.

import { endpoints } from '@ringfence/contract'
import { createApp, sdkClient } from '../../../../server/src/testing/sdk-client.ts'
import type { TestService } from '../../../../server/src/testing/test-service.ts'
import type { RecordKind, Tenant } from './records.ts'

const { sendMagicLink, exchangeCode, signInStart, signInResend, signInVerify, signInStatus } = endpoints

const sdkOf = async (tenant: Tenant, service: TestService) =>
  sdkClient(service, { app: await createApp(service, {}, tenant.id) })

/** Starts the owner's sign-in; its OTP is in the outbox. */
async function start(owner: Tenant, service: TestService) {
  const client = await sdkOf(owner, service)
  const identity = { type: 'MOBILE', value: owner.phoneNumber }
  const { status, body } = await client.post(signInStart.path, { channel: 'OTP', identity })
  if (status !== 200) throw new Error(`the owner's start is answered ${status} ${JSON.stringify(body)}`)
  const otp = /^\d+/.exec(service.parts.signIn.outbox.messages().at(-1)!.text)![0]
  return { client, transactionId: body.transactionId as string, otp }
}

/** The owner has signed in. */
export async function signedIn(owner: Tenant, service: TestService): Promise<{ token: string }> {
  const { client, transactionId, otp } = await start(owner, service)
  const { status, body } = await client.post(signInVerify.path, { transactionId, otp })
  if (status !== 200) throw new Error(`the owner's code is answered ${status} ${JSON.stringify(body)}`)
  return body
}

/** Another tenant's transaction is unknown, and stays live for its owner. */
const ownTransaction = (path: string): RecordKind => ({
  endpoint: path,
  what: 'sign-in',
  async plant(owner, service) {
    return async (other) => {
      const { client, transactionId, otp } = await start(owner, service)
      const seen = await (await sdkOf(other, service)).post(path, { transactionId, otp })
      if (seen.body.errorCode !== '7116') return JSON.stringify(seen.body)
      const { status } = await client.post(signInVerify.path, { transactionId, otp })
      return status === 200 ? undefined : `the owner is answered ${status} afterwards`
    }
  },
})

/** The same number is a separate user at each tenant. */
const ownUser: RecordKind = {
  endpoint: signInStart.path,
  what: 'user',
  async plant(owner, service) {
    const userOf = async (tenant: Tenant) => {
      const { client, transactionId, otp } = await start({ ...tenant, phoneNumber: owner.phoneNumber }, service)
      return (await client.post(signInVerify.path, { transactionId, otp })).body.userId as string
    }
    const own = await userOf(owner)
    return async (other) => ((await userOf(other)) === own ? `the user ${own}` : undefined)
  },
}

/** The code of a magic link that a backend ordered; its app and redirect URL belong to the owner. */
const ownMagicLink: RecordKind = {
  endpoint: sendMagicLink.path,
  what: 'magic link of a backend',
  async plant(owner, service) {
    const redirectUrl = `https://${owner.id.toLowerCase().replaceAll('_', '-')}.example/back`
    await createApp(service, { settings: { redirectUrls: [redirectUrl] } }, owner.id)
    const order = async ({ credentials }: Tenant) => {
      const query = new URLSearchParams({ mobile_number: owner.phoneNumber, redirect_uri: redirectUrl })
      return fetch(`${service.url}${sendMagicLink.path}?${query}`, { headers: { ...credentials } })
    }
    const exchange = (code: string, { credentials }: Tenant) =>
      service.post(exchangeCode.path, { code, redirect_uri: redirectUrl }, { ...credentials })
    return async (other) => {
      const refused = await order(other)
      if (refused.status !== 400) return `the redirect URL of the owner is answered ${refused.status}`
      const own = await order(owner)
      if (own.status !== 200) throw new Error(`the owner's order is answered ${own.status} ${await own.text()}`)
      const link = new URL(/https?:\S+/.exec(service.parts.signIn.outbox.messages().at(-1)!.text)![0])
      const pressed = await fetch(new URL(link.pathname, link), {
        method: 'POST',
        body: link.searchParams,
        redirect: 'manual',
      })
      const code = new URL(pressed.headers.get('location')!).searchParams.get('code')!
      const seen = await exchange(code, other)
      if (seen.status === 200) return JSON.stringify(seen.body)
      const { status } = await exchange(code, owner)
      // The next order of the same recipient is a new sign-in, not a repeated one.
      service.clock.advance({ hours: 1 })
      return status === 200 ? undefined : `the owner is answered ${status} afterwards`
    }
  },
}

export const signInRecords: readonly RecordKind[] = [
  ownUser,
  ownMagicLink,
  ...[signInResend, signInVerify, signInStatus].map(({ path }) => ownTransaction(path)),
]
