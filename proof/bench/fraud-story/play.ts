// How does the fraud story happen? A service with a simulated clock decides over HTTP about each session, and learns labels days later.

import { type Decision, endpoints } from '@ringfence/contract'
import { startWorld } from '../../../server/src/accounts/testing/world.ts'
import type { App } from '../../../server/src/apps/app.ts'
import type { RuleSet } from '../../../server/src/rules/language/rule.ts'
import { outboxChannels } from '../../../server/src/sign-in/authentication/testing/sign-in-service.ts'
import type { Ending } from '../../../server/src/testing/at-end.ts'
import { sqliteDatabases } from '../../../server/src/testing/databases.ts'
import { createApp } from '../../../server/src/testing/sdk-client.ts'
import type { TestService } from '../../../server/src/testing/test-service.ts'
import type { Visited } from './browser.ts'
import { merchants } from './customers.ts'
import { dayMs, type IdentityType, type StorySession } from './session.ts'
import type { Story } from './story.ts'

export interface PlayedDecision {
  readonly action: 'LOGIN' | 'PAYMENT'
  readonly decided: Decision['action']
  readonly isForReview: boolean
  /** Ids of rules. */
  readonly fired: readonly string[]
}

export interface PlayedSession {
  readonly session: StorySession
  readonly decisions: readonly PlayedDecision[]
  /** Absent: the visitor did what he came for. */
  readonly stoppedBy?: 'BLOCK' | 'CHALLENGE'
}

export interface Played {
  readonly service: TestService
  readonly sessions: readonly PlayedSession[]
}

interface World {
  readonly service: TestService
  readonly app: App
  readonly began: number
  readonly labels: DueLabel[]
}

interface DueLabel {
  readonly dueAt: number
  readonly decisionIds: readonly string[]
  readonly session: StorySession
}

const secondMs = 1000
/** The token does not pass the challenge. */
const notPassed = '70016'
const tooManyMessages = '7124'
/** So that a busy machine does not decide without an operator. */
const deadlineMs = 30_000

export interface PlayOptions {
  /** Closes the service. */
  readonly ending: Ending
  readonly onProgress?: (done: number, of: number) => void
}

/** @param rules live during the whole story; undefined: the default rules */
export async function play(
  story: Story,
  rules: RuleSet | undefined,
  { ending, onProgress }: PlayOptions,
): Promise<Played> {
  const service = await startWorld(ending, await sqliteDatabases.open(ending), { channels: outboxChannels })
  const app = await createApp(service)
  for (const name of ['stolen-cards', 'merchants']) {
    await call(service, endpoints.createList.path, { name, kind: 'text', purpose: 'watch' })
  }
  await list(service, 'merchants', merchants)
  if (rules) {
    const author = { by: 'fraud story' }
    const version = await service.parts.rules.draft(service.tenantId, rules, author)
    await service.parts.rules.live(service.tenantId, version, author, { untried: true })
  }
  service.clock.advance({ seconds: 2 })
  const world: World = { service, app, began: service.clock.now(), labels: [] }
  const sessions: PlayedSession[] = []
  for (const session of story.sessions) {
    const at = world.began + session.at
    await sendLabels(world, at)
    advanceTo(service, at)
    sessions.push(await visit(world, session))
    if (sessions.length % 100 === 0 || sessions.length === story.sessions.length) {
      onProgress?.(sessions.length, story.sessions.length)
    }
  }
  await sendLabels(world, Number.POSITIVE_INFINITY)
  return { service, sessions }
}

const advanceTo = ({ clock }: TestService, at: number) =>
  clock.advance({ ms: Math.max(0, Math.round(at - clock.now())) })

/** @returns the body; anything but a success ends the story */
// biome-ignore lint/suspicious/noExplicitAny: bodies of several endpoints
async function call(service: TestService, path: string, body: object): Promise<any> {
  const { status, body: answer } = await service.post(path, body)
  if (status >= 300) throw new Error(`${path} is answered ${status}: ${JSON.stringify(answer)}`)
  return answer
}

const list = (service: TestService, name: string, values: readonly string[]) =>
  call(service, endpoints.addListEntries.path, { name, entries: values.map((value) => ({ value })) })

async function visit({ service, app, began, labels }: World, session: StorySession): Promise<PlayedSession> {
  const { browser, userId, phoneNumber, login, payment, label } = session
  changeLine(service, session)
  if (session.clearsStorage) browser.clearStorage()
  const day = Math.floor((service.clock.now() - began) / dayMs)
  const visited = await browser.visit({ service, app }, { day, address: session.address })
  const { dfrId } = visited
  const decisions: PlayedDecision[] = []
  const decisionIds: string[] = []
  const asks = async (action: 'LOGIN' | 'PAYMENT', more: object): Promise<'BLOCK' | 'CHALLENGE' | undefined> => {
    service.clock.advance({ ms: 2 * secondMs })
    const body = { action, userId, phoneNumber, email: emailOf(session), dfrId, deadlineMs, ...more }
    const decision: Decision = await call(service, endpoints.decide.path, body)
    decisionIds.push(decision.decisionId)
    decisions.push({
      ...{ action, decided: decision.action, fired: decision.rules.fired },
      isForReview: decision.action === 'REVIEW',
    })
    if (decision.action === 'BLOCK') return 'BLOCK'
    if (decision.action !== 'CHALLENGE') return undefined
    return (await passes(service, session, visited, decision)) ? undefined : 'CHALLENGE'
  }
  let stoppedBy: PlayedSession['stoppedBy']
  if (login) {
    const signsIn =
      login === 'code' ? enterCode(service, session, visited, 'MOBILE') : checkPassword(service, session, visited)
    stoppedBy = await asks('LOGIN', { token: await signsIn })
  }
  if (payment && !stoppedBy) {
    service.clock.advance({ ms: 20 * secondMs })
    stoppedBy = await asks('PAYMENT', { params: payment })
  }
  if (!login && !payment) throw new Error(`a session of ${userId} does nothing`)
  if (label) labels.push({ dueAt: service.clock.now() + label.afterMs, decisionIds, session })
  return { session, decisions, ...(stoppedBy && { stoppedBy }) }
}

function changeLine({ sandbox, clock }: TestService, { phoneNumber, line }: StorySession): void {
  if (!line) return
  const { simChangedHoursAgo, isForwarding } = line
  sandbox.lines.change(phoneNumber, {
    ...(simChangedHoursAgo !== undefined && {
      latestSimChange: new Date(clock.now() - simChangedHoursAgo * 3_600_000).toISOString(),
    }),
    ...(isForwarding !== undefined && { forwarding: isForwarding ? ['unconditional'] : [] }),
  })
}

const emailOf = ({ userId }: StorySession) => `${userId}@mail.example`

/** The page asks for a code, and whoever receives it enters it. Undefined: the recipient gets no more codes in this hour. */
async function enterCode(
  service: TestService,
  session: StorySession,
  { client, dfrId }: Visited,
  type: IdentityType,
): Promise<string | undefined> {
  const value = type === 'MOBILE' ? (session.codesTo ?? session.phoneNumber) : emailOf(session)
  const request = { channel: 'OTP', identity: { type, value }, dfrId }
  const started = await client.post(endpoints.signInStart.path, request)
  if (started.body.errorCode === tooManyMessages) return undefined
  if (started.status !== 200) throw new Error(`the start is answered ${JSON.stringify(started.body)}`)
  const { transactionId } = started.body
  const otp = /^\d+/.exec(service.parts.signIn.outbox.messages().at(-1)!.text)![0]
  const { status, body } = await client.post(endpoints.signInVerify.path, { transactionId, otp })
  if (status !== 200) throw new Error(`the code is answered ${status}: ${JSON.stringify(body)}`)
  return body.token
}

/** The backend has checked a password. It may be stolen, so nobody is verified. */
async function checkPassword(service: TestService, session: StorySession, { requestId }: Visited): Promise<string> {
  const { userId } = session
  const identityValue = emailOf(session)
  const identity = { identityType: 'EMAIL', identityValue, channel: 'PASSWORD', methods: ['PASSWORD'], verified: false }
  const body = { userId, identities: [identity], requestId, userVerified: false }
  return (await call(service, endpoints.issueToken.path, body)).token
}

/** Whoever receives a code where the challenge allows one passes it. */
async function passes(
  service: TestService,
  session: StorySession,
  visited: Visited,
  decision: Decision,
): Promise<boolean> {
  const { identityTypes = [] } = decision.challenge ?? {}
  const with_ = session.receives.find((identityType) => identityTypes.includes(identityType))
  if (!with_) return false
  service.clock.advance({ ms: 30 * secondMs })
  const token = await enterCode(service, session, visited, with_)
  if (token === undefined) return false
  const path = endpoints.passChallenge.path.replace('{decisionId}', decision.decisionId)
  const { status, body } = await service.post(path, { token })
  if (status !== 200 && body.errorCode !== notPassed) throw new Error(`${path} is answered ${JSON.stringify(body)}`)
  return body.challenge?.state === 'passed'
}

/** Sends the labels that are due, each at its time. A card with a chargeback becomes a stolen card. */
async function sendLabels({ service, labels }: World, until: number): Promise<void> {
  labels.sort((a, b) => a.dueAt - b.dueAt)
  while (labels[0] && labels[0].dueAt <= until) {
    const { dueAt, decisionIds, session } = labels.shift()!
    advanceTo(service, dueAt)
    const { outcome } = session.label!
    const sent = decisionIds.map((decisionId) => ({ decisionId, outcome }))
    const { unknown } = await call(service, endpoints.labelReports.path, { labels: sent })
    if (unknown.length > 0) throw new Error(`labels of unknown decisions: ${unknown.join()}`)
    if (outcome === 'chargeback' && session.payment) await list(service, 'stolen-cards', [session.payment.card])
  }
}
