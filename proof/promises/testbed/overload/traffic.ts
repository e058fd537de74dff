// Which requests is the service overloaded with? Each kind can be repeated for as long as the load lasts, and is always answered with 200.

import { endpoints, readSamples } from '@ringfence/contract'
import type { Config } from '../../../../server/src/core/config/config.ts'
import type { Settings } from '../../../../server/src/core/config/settings.ts'
import { sdkClientOf } from '../../../../server/src/testing/sdk-client.ts'
import type { Judge, RunOptions } from '../../promise.ts'
import { unlimitedTraffic } from '../app-traffic.ts'
import { beginSession, goOn, makeCallers, repeatable } from '../device-ledger.ts'
import { post } from '../ledger.ts'
import { requestText } from '../load.ts'
import { startMessageGateway } from '../message-gateway.ts'
import { ordinaryNumber } from '../operator.ts'
import { newClient, type ServiceProcess } from '../service-process.ts'
import { startInstantOperator } from './instant-operator.ts'

/** What is configured, and complete requests to send in turn. */
export interface Traffic {
  readonly name: string
  readonly inShortRun: boolean
  readonly settings?: Partial<Settings>
  requests(service: ServiceProcess, complaints: Judge): Promise<string[]>
}

/** The configuration for all of them: an operator and a gateway that answer at once. */
export async function partsOfTraffic(run: RunOptions): Promise<Omit<Config, 'settings'>> {
  const { channels } = await startMessageGateway(run)
  return { ...(await startInstantOperator(run)), channels }
}

const checks = (name: string, simSwapReuseSeconds: number): Traffic => ({
  name,
  inShortRun: false,
  settings: { simSwapReuseSeconds },
  async requests(service) {
    const client = await newClient(service, 'load')
    return Array.from({ length: 200 }, (_, index) =>
      requestText(endpoints.simSwapCheck.path, { ...client }, { phoneNumber: ordinaryNumber(index) }),
    )
  },
})

const tokens: Traffic = {
  name: 'tokens',
  inShortRun: true,
  async requests(service, complaints) {
    const client = await newClient(service, 'load')
    const login = readSamples().IssueTokenRequest!.ordinary
    const requests: string[] = []
    while (requests.length < 200) {
      const { status, text } = await post(service.url, endpoints.issueToken.path, client, login as object)
      complaints.unless(status === 200, () => `a token is not issued: ${status} ${text}`)
      const { token } = JSON.parse(text) as { token: string }
      requests.push(requestText(endpoints.validateToken.path, { ...client }, { token }))
    }
    return requests
  },
}

/** Short sessions: engine call and push, repeated as an SDK repeats them, and the report. */
const devices: Traffic = {
  name: 'devices',
  inShortRun: true,
  settings: unlimitedTraffic,
  async requests(service, complaints) {
    const callers = await makeCallers(service)
    const requests: string[] = []
    for (let session = 0; session < 20; session++) {
      const began = await beginSession(service.url, callers)
      const stopped = await goOn(service.url, began, callers, complaints)
      complaints.unless(stopped === undefined, () => `a session is not answered: ${JSON.stringify(stopped)}`)
      for (const { path, body, of } of repeatable(began)) {
        requests.push(requestText(path, of === 'sdk' ? began.client.headers : { ...callers.backend }, body))
      }
    }
    return requests
  },
}

/** Starts that are repeated, as by a person who presses the button again, and pages that wait for the person. */
const signIns: Traffic = {
  name: 'sign-ins',
  inShortRun: false,
  settings: { ...unlimitedTraffic, resendAfterSeconds: 3600 },
  async requests(service, complaints) {
    const { app } = await makeCallers(service)
    const requests: string[] = []
    for (let person = 0; person < 50; person++) {
      const { post: send, headers } = await sdkClientOf(app, service)
      const start = { channel: 'OTP', identity: { type: 'MOBILE', value: ordinaryNumber(person) } }
      const { status, body } = await send(endpoints.signInStart.path, start)
      complaints.unless(status === 200, () => `a sign-in is not started: ${status} ${JSON.stringify(body)}`)
      requests.push(
        requestText(endpoints.signInStart.path, headers, start),
        requestText(endpoints.signInStatus.path, headers, { transactionId: body.transactionId }),
      )
    }
    return requests
  },
}

export const traffics: readonly Traffic[] = [
  tokens,
  checks('stored answers', 86_400),
  checks('one upstream call', 0),
  devices,
  signIns,
]
