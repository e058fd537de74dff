// Who signs in by SMS, and whose number is checked?

import { endpoints } from '@ringfence/contract'
import type { App } from '../../../server/src/apps/app.ts'
import { sdkClientOf } from '../../../server/src/testing/sdk-client.ts'
import type { MessageGateway } from '../../promises/testbed/message-gateway.ts'
import { checksOf, simSwapPath } from '../harness/checks.ts'
import type { Server } from '../harness/servers.ts'

const together = 8

/** The first `count` numbers of the imported file, each of a person with a browser and an address of their own. */
export function people(server: Server, app: App, { count, gateway }: { count: number; gateway: MessageGateway }) {
  const bodies = checksOf(server, count).bodies.map(String)
  const numbers = bodies.map((body) => (JSON.parse(body) as { phoneNumber: string }).phoneNumber)
  const signIn = async (value: string, at: number) => {
    const address = `198.${18 + (at >> 16)}.${(at >> 8) & 255}.${at & 255}`
    const sdk = await sdkClientOf(app, server, { headers: { 'x-forwarded-for': address } })
    const identity = { type: 'MOBILE', value }
    const { body: started } = await sdk.post(endpoints.signInStart.path, { channel: 'OTP', identity })
    const { transactionId } = started
    const { status, body } = await sdk.post(endpoints.signInVerify.path, { transactionId, otp: gateway.otpFor(value) })
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
