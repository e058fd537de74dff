// What does the service answer to malformed requests? A clear error, in the specified shape, without delay.

import { connect } from 'node:net'
import { endpoints } from '@ringfence/contract'
import fc from 'fast-check'
import { pino } from 'pino'
import {
  type SignInService,
  startSignInService,
} from '../../server/src/sign-in/authentication/testing/sign-in-service.ts'
import { sqliteDatabases } from '../../server/src/testing/databases.ts'
import { sdkClient } from '../../server/src/testing/sdk-client.ts'
import { settlesWithin } from '../../server/src/testing/settles.ts'
import type { PromiseProgram } from './promise.ts'
import { answerShapes } from './testbed/answer-shape.ts'
import { unlimitedTraffic } from './testbed/app-traffic.ts'
import { badRequests, type Sent } from './testbed/bad-requests-generated.ts'
import { ordinaryNumber } from './testbed/operator.ts'

/** Sent at the same time, each on its own connection. */
const atOnce = 25
/** The request time-out, plus half a second in which the server looks for late requests, plus room: running time of this process. */
const hangsAfterMs = 10_000

export const badRequestsProgram: PromiseProgram = {
  name: 'bad-requests',
  promise: 'bad input is a clear error: of generated requests 0 answered 5xx, 0 hang, 0 answers outside the schema',
  async run(run) {
    const unexpected: string[] = []
    const log = pino({ level: 'error' }, { write: (line: string) => unexpected.push(line) })
    const service = await startSignInService(run, await sqliteDatabases.open(run), {
      // Slow operators, rate limits and overload are tested elsewhere.
      settings: {
        requestTimeoutMs: 200,
        deadlineMs: 1000,
        ...unlimitedTraffic,
        clientRatePerSecond: 1_000_000,
        overloadDelayMs: 60_000,
      },
      log,
    })
    const { url, credentials, client } = service
    const { headers } = client
    const sdk = { appId: headers.appId!, authorization: headers.authorization! }
    const statuses: Record<string, number> = {}
    const { misfit } = answerShapes()
    const endpointPaths: string[] = Object.values(endpoints).map(({ path }) => path)

    const check = async (sent: Sent) => {
      const received = await exchange(url, sent)
      const said = `${JSON.stringify(sent.bytes.toString('latin1').slice(0, 3000))} is answered ${JSON.stringify(received.slice(0, 1000))}`
      const answers = answersIn(received, sent.method)
      // An HTTP server treats a client that half-closes in the middle of a request as gone.
      if (answers.length === 0) {
        if (!sent.ends) throw new Error(`closed without an answer: ${said}`)
        count(statuses, 'nothing: the sender closed the connection')
      }
      for (const [index, { status, body, mediaType }] of answers.entries()) {
        count(statuses, String(status))
        if (status >= 500) throw new Error(`${status}: ${said}`)
        // Valid requests inside what follows, and pages, may be answered with success.
        if (index > 0 || body === '' || (status === 200 && !endpointPaths.includes(sent.path))) continue
        const wrong = misfit(sent.path, status, body, mediaType)
        if (wrong !== undefined) throw new Error(`${wrong}: ${said}`)
      }
    }
    const runs = run.full ? 80_000 : 120
    let sent = 0
    const result = await fc.check(
      fc.asyncProperty(
        fc.array(badRequests({ ...credentials, ...sdk }), { minLength: atOnce, maxLength: atOnce }),
        async (messages) => {
          await Promise.all(messages.map(check))
          sent += messages.length
          if (sent % 100_000 === 0) run.say(`${sent} requests`)
        },
      ),
      // A short run repeats the same requests each time, so that a failure points at the last change.
      { numRuns: runs, ...(!run.full && { seed: 20_260_301 }), interruptAfterTimeLimit: run.full ? 300_000 : 30_000 },
    )
    const broken = result.failed ? [`${(result.errorInstance as Error).message} (seed ${result.seed})`] : []
    broken.push(...unexpected.slice(0, 5).map((line) => `unexpected failure in the log: ${line}`))
    broken.push(...(await validRequests(service)))
    return { figures: { requests: sent, seed: result.seed, ...byStatus(statuses) }, broken }
  },
}

/** What is wrong afterwards with a check, a session of an SDK, or a sign-in. They have the time that a busy machine takes. */
async function validRequests(service: SignInService): Promise<string[]> {
  const headers = { 'x-ringfence-deadline-ms': '30000' }
  const check = await service.post(endpoints.simSwapCheck.path, { phoneNumber: ordinaryNumber(0) }, headers)
  const sdk = await sdkClient(service, { app: service.app, headers })
  const session = await sdk.fingerprint().then(
    () => undefined,
    (error: Error) => `a session afterwards is ${error.message}`,
  )
  const started = await service.start({}, sdk)
  const verified = await service.verify(started.body.transactionId, { otp: service.otp() }, sdk)
  return [
    check.status === 200 ? undefined : `a valid check afterwards is answered ${check.status}`,
    session,
    verified.status === 200 ? undefined : `a sign-in afterwards is answered ${started.status}, then ${verified.status}`,
  ].filter((line) => line !== undefined)
}

const count = (counts: Record<string, number>, key: string) => {
  counts[key] = (counts[key] ?? 0) + 1
}

const byStatus = (counts: Record<string, number>) =>
  Object.fromEntries(Object.entries(counts).map(([status, times]) => [`answered ${status}`, times]))

/** Everything received until the other side closes the connection. Rejects when it stays open. */
async function exchange(url: string, { bytes, ends }: Sent): Promise<string> {
  const { hostname, port } = new URL(url)
  const { promise, resolve } = Promise.withResolvers<string>()
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  let received = ''
  socket.setEncoding('latin1').on('data', (text) => {
    received += text
  })
  socket.on('end', () => socket.end())
  // A server may close while the rest of a refused request is still in flight; what it sent before counts.
  socket.on('error', () => undefined)
  socket.on('close', () => resolve(received))
  socket.write(bytes)
  if (ends) socket.end()
  return settlesWithin(hangsAfterMs, promise).catch((cause: Error) => {
    socket.destroy()
    throw new Error(`no end: ${JSON.stringify(bytes.toString('latin1').slice(0, 3000))}`, { cause })
  })
}

interface Answer {
  status: number
  body: string
  /** Undefined where there is none. */
  mediaType: string | undefined
}

/** The answers in the received bytes, without interim ones (1xx). */
function answersIn(received: string, method: string): Answer[] {
  const answers: Answer[] = []
  for (let rest = received; rest !== ''; ) {
    const headEnd = rest.indexOf('\r\n\r\n')
    const head = headEnd < 0 ? '' : rest.slice(0, headEnd)
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1])
    if (Number.isNaN(status)) throw new Error(`the answer is not HTTP: ${JSON.stringify(received.slice(0, 1000))}`)
    const length = status < 200 ? 0 : Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1])
    if (Number.isNaN(length))
      throw new Error(`not an answer of this service: ${JSON.stringify(received.slice(0, 1000))}`)
    const body = rest.startsWith('HTTP/1.1 ', headEnd + 4) ? '' : rest.slice(headEnd + 4, headEnd + 4 + length)
    // An answer to HEAD has a length and no body. Random bytes may form a HEAD request, even in what follows them.
    const mayBeHead = method === 'HEAD' || method === '' || answers.length > 0
    if (body.length < length && !(body === '' && mayBeHead)) {
      throw new Error(`an answer is truncated: ${JSON.stringify(received.slice(0, 1000))}`)
    }
    // The bytes are split arbitrarily; parsed as one text.
    const mediaType = /\r\ncontent-type: ([^;\r]+)/i.exec(head)?.[1]
    if (status >= 200) answers.push({ status, body: Buffer.from(body, 'latin1').toString(), mediaType })
    rest = rest.slice(headEnd + 4 + body.length)
  }
  return answers
}
