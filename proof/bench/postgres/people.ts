// Who signs in by SMS, and whose number is checked, on a server whose messages come here?

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { endpoints } from '@ringfence/contract'
import type { App } from '../../../server/src/apps/app.ts'
import { sdkClientOf } from '../../../server/src/testing/sdk-client.ts'
import { checksOf, simSwapPath } from '../harness/checks.ts'
import type { Server } from '../harness/servers.ts'

const together = 8

/** No person meets a limit, and no answer of an operator is used again. */
export const unlimitedPeople = {
  messagesPerRecipientHour: 1_000,
  messagesPerAddressHour: 1_000_000,
  messagesPerAppHour: 100_000_000,
  newNumbersPerRangeHour: 10_000,
  newNumbersPerCountryHour: 100_000_000,
  simSwapReuseSeconds: 0,
} as const

export interface Gateway {
  /** For `channels` of the configuration. */
  readonly channel: { readonly type: string }
  /** The OTP that was sent to these digits last. */
  otpOf(digits: string): string
  close(): void
}

/** A gateway for SMS on a free port. */
export async function startGateway(): Promise<Gateway> {
  const sent = new Map<string, string>()
  const server = createServer(async (request, response) => {
    const { to, otp } = (await json(request)) as { to: string; otp: string }
    sent.set(to, otp)
    response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    channel: { type: 'http-gateway', url, json: { to: '{to}', otp: '{otp}' } } as { type: string },
    otpOf(digits) {
      const otp = sent.get(digits)
      if (otp === undefined) throw new Error(`no message was sent to ${digits}`)
      return otp
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** The first `count` numbers of the imported file, each of a person with a browser and an address of their own. */
export function people(server: Server, app: App, { count, gateway }: { count: number; gateway: Gateway }) {
  const bodies = checksOf(server, count).bodies.map(String)
  const numbers = bodies.map((body) => (JSON.parse(body) as { phoneNumber: string }).phoneNumber)
  const signIn = async (value: string, at: number) => {
    const address = `198.${18 + (at >> 16)}.${(at >> 8) & 255}.${at & 255}`
    const sdk = await sdkClientOf(app, server, { headers: { 'x-forwarded-for': address } })
    const identity = { type: 'MOBILE', value }
    const { body: started } = await sdk.post(endpoints.signInStart.path, { channel: 'OTP', identity })
    const { transactionId } = started
    const { status, body } = await sdk.post(endpoints.signInVerify.path, { transactionId, otp: gateway.otpOf(value) })
    if (status !== 200) throw new Error(`a sign-in is answered ${status}: ${JSON.stringify(body)}`)
  }
  const check = async (_: string, at: number) => {
    const headers = { 'content-type': 'application/json', ...server.access }
    const answered = await fetch(server.url + simSwapPath, { method: 'POST', headers, body: bodies[at]! })
    if (!answered.ok) throw new Error(`a check is answered ${answered.status}: ${await answered.text()}`)
  }
  const all = (work: (number: string, at: number) => Promise<void>) => async () => {
    let taken = 0
    const worker = async () => {
      for (let at = taken++; at < count; at = taken++) await work(numbers[at]!, at)
    }
    await Promise.all(Array.from({ length: together }, worker))
  }
  return { signIn: all(signIn), check: all(check) }
}
