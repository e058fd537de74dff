// How does the month of the demo happen? Its sessions one after the other, each decided over HTTP; labels and reviews arrive later.

import { type Decision, endpoints } from '@ringfence/contract'
import type { Sandbox } from '@ringfence/sandbox'
import type { Parts } from '@ringfence/server/parts.ts'
import type { Recipient } from '../../../testing/src/visitors/sdk-session.ts'
import type { Backend, WithCode } from './backend.ts'
import { merchants } from './customers.ts'
import type { Random } from './random.ts'
import { demoRules, shops, stolenCards } from './rules.ts'
import { type DemoPerson, type DemoSession, dayMs, hourMs, type IdentityType, minuteMs } from './session.ts'
import type { Story } from './story.ts'

export interface Stage {
  readonly backend: Backend
  readonly sandbox: Pick<Sandbox, 'lines'>
  readonly rules: Parts['rules']
  readonly tenantId: string
  readonly random: Random
  /** The clock of service and sandbox operator: it stands still until it is moved. */
  readonly clock: { now(): number; moveTo(epochMs: number): void }
  /** When the month begins and ends. Epoch milliseconds. */
  readonly from: number
  readonly until: number
}

export interface Played {
  readonly sessions: number
  readonly decisions: number
}

/** What happens beside the sessions, at its time. */
interface Due {
  readonly at: number
  readonly run: () => Promise<unknown>
}

/** So that a busy machine does not decide without an operator. */
const deadlineMs = 30_000
const author = { by: 'tara', note: 'Rules of the demo shop' }
const reviewers = ['maya', 'tomas'] as const
const notes = {
  approved: ['Called the customer, who knows the payment', 'Usual device, known payee', 'Repeat order'],
  blocked: ['The customer does not know this payment', 'Same payee as four other cases', 'Number unreachable, new SIM'],
} as const

/**
 * Plays the story up to the end of the month.
 * @param onSession returns false to stop
 */
export async function play(
  story: Story,
  stage: Stage,
  onSession: (played: Played) => Promise<boolean>,
): Promise<Played> {
  const { clock, from, until } = stage
  const due: Due[] = setUp(stage)
  let played: Played = { sessions: 0, decisions: 0 }
  const catchUp = async (to: number) => {
    for (let next = earliest(due); next && next.at <= to; next = earliest(due)) {
      due.splice(due.indexOf(next), 1)
      clock.moveTo(next.at)
      await next.run()
    }
  }
  for (const session of story.sessions) {
    const at = Math.round(from + session.at)
    if (at >= until - hourMs / 4) break
    await catchUp(at)
    clock.moveTo(at)
    const decided = await visit(session, stage, due)
    played = { sessions: played.sessions + 1, decisions: played.decisions + decided }
    if (!(await onSession(played))) return played
  }
  await catchUp(until - minuteMs)
  return played
}

const earliest = (due: readonly Due[]): Due | undefined =>
  due.reduce<Due | undefined>((first, each) => (first && first.at <= each.at ? first : each), undefined)

/** The shop's lists and rules: in shadow on the first day, live on the second; a new one is tried since the 25th. */
function setUp({ backend, rules, tenantId, from }: Stage): Due[] {
  const at = (day: number, run: Due['run']): Due => ({ at: from + day * dayMs, run })
  const add = (name: string, values: readonly string[]) =>
    backend.call(endpoints.addListEntries.path, {
      ...{ name, entries: values.map((value) => ({ value })), by: author.by },
    })
  return [
    at(0, async () => {
      const lists = { [stolenCards]: 'block', [shops]: 'allow' }
      for (const [name, purpose] of Object.entries(lists)) {
        await backend.call(endpoints.createList.path, { name, kind: 'text', purpose, by: author.by })
      }
      await add(shops, merchants)
      await rules.draft(tenantId, demoRules('live'), author)
      await rules.shadow(tenantId, undefined, author)
    }),
    at(1, () => rules.live(tenantId, undefined, author)),
    at(25, async () => {
      await rules.draft(tenantId, demoRules('shadow'), { by: author.by, note: 'Gift cards of new accounts' })
      await rules.shadow(tenantId, undefined, author)
    }),
  ]
}

/** @returns how many decisions it made */
async function visit(session: DemoSession, stage: Stage, due: Due[]): Promise<number> {
  const { backend, clock, from, random } = stage
  const { browser, who, address, login, payment } = session
  changeLine(session, stage)
  if (session.clearsStorage) browser.clearStorage()
  const day = Math.floor((clock.now() - from) / dayMs)
  const open = () => repeated(() => backend.visit(browser, { day, address, userId: who.userId }))
  const visited = await open()
  const { dfrId } = visited
  const enter = (by: IdentityType, does?: WithCode) =>
    backend
      .enterCode(visited, recipientOf(who, by), does)
      // Maintenance of the live service may have deleted the session. Too many codes to one person are refused.
      .catch(async () => backend.enterCode(await open(), recipientOf(who, by), does).catch(() => undefined))
  const decisions: Decision[] = []
  const passes = async (action: string, more: object): Promise<boolean> => {
    later(clock, 2)
    const { userId, phoneNumber, email } = who
    const decision = await backend.decide({ action, userId, phoneNumber, email, dfrId, deadlineMs, ...more })
    decisions.push(decision)
    if (decision.review) due.push(reviewOf(decision, session, stage))
    if (decision.action === 'CHALLENGE') return answersChallenge(session, decision, { enter, backend, clock })
    return decision.action !== 'BLOCK'
  }
  let goesOn = true
  if (login) {
    const token = login === 'code' ? await signIn(session, enter, random) : await backend.checkPassword(visited, who)
    goesOn = await passes(session.isSignUp ? 'SIGNUP' : 'LOGIN', { token })
  }
  if (payment && goesOn) {
    later(clock, 40)
    await passes('PAYMENT', { params: payment })
  }
  const label = labelOf(decisions, session, stage)
  if (label) due.push(label)
  return decisions.length
}

const recipientOf = ({ phoneNumber, email }: DemoPerson, by: IdentityType): Recipient =>
  by === 'MOBILE' ? { type: by, value: phoneNumber } : { type: by, value: email }

type Enter = (by: IdentityType, does?: WithCode) => Promise<string | undefined>

/** Not every code is entered: whoever has a mailbox then takes another one. */
async function signIn({ receives }: DemoSession, enter: Enter, random: Random): Promise<string | undefined> {
  const [first, second] = receives
  if (!first) return undefined
  const drawn = random.next()
  const does = drawn < 0.82 ? 'enters' : drawn < 0.9 ? 'mistypes' : drawn < 0.96 ? 'gives up' : 'fails'
  return (await enter(first, does)) ?? (second && enter(second))
}

/** Maintenance of the live service deletes expired SDK sessions, and for its clock those of the demo have expired. */
async function repeated<T>(work: () => Promise<T>, attempts = 5): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (attempts === 1) throw error
    return repeated(work, attempts - 1)
  }
}

const later = (clock: Stage['clock'], seconds: number) => clock.moveTo(clock.now() + seconds * 1000)

function changeLine({ who, line }: DemoSession, { sandbox, clock }: Stage): void {
  if (!line) return
  const { simChangedHoursAgo, isForwarding } = line
  sandbox.lines.change(who.phoneNumber, {
    ...(simChangedHoursAgo !== undefined && {
      latestSimChange: new Date(clock.now() - simChangedHoursAgo * hourMs).toISOString(),
    }),
    ...(isForwarding && { forwarding: ['unconditional'] }),
  })
}

/** Whoever receives a code where the challenge allows one passes it. */
async function answersChallenge(
  { receives }: DemoSession,
  { decisionId, challenge }: Decision,
  { enter, backend, clock }: Pick<Stage, 'backend' | 'clock'> & { enter: Enter },
): Promise<boolean> {
  const by = receives.find((identityType) => challenge?.identityTypes.includes(identityType))
  if (!by) return false
  later(clock, 30)
  const token = await enter(by)
  if (token === undefined) return false
  // Maintenance may have deleted the token in between, as it does with SDK sessions: then the challenge stays open.
  const path = endpoints.passChallenge.path.replace('{decisionId}', decisionId)
  const answer = await backend.call(path, { token }).catch(() => undefined)
  return answer?.challenge.state === 'passed'
}

/** People resolve it within a working day. What came in the last days is still open. */
function reviewOf({ decisionId }: Decision, { label }: DemoSession, { backend, clock, random, until }: Stage): Due {
  const at = clock.now() + (1 + 11 * random.next()) * hourMs
  const isBad = label !== undefined && label.outcome !== 'legitimate'
  const outcome = isBad && random.chance(0.8) ? 'blocked' : 'approved'
  const body = { outcome, by: random.one(reviewers), note: random.one<string>(notes[outcome]) }
  const path = endpoints.resolveReview.path.replace('{decisionId}', decisionId)
  const isOpen = clock.now() > until - 3 * dayMs
  return { at: isOpen ? Number.POSITIVE_INFINITY : at, run: () => backend.call(path, body) }
}

/** A card with a chargeback becomes a stolen card. */
function labelOf(
  decisions: readonly Decision[],
  { label, payment }: DemoSession,
  { backend, clock }: Stage,
): Due | undefined {
  if (!label) return undefined
  const { outcome, afterMs } = label
  return {
    at: Math.round(clock.now() + afterMs),
    async run() {
      const labels = decisions.map(({ decisionId }) => ({ decisionId, outcome }))
      await backend.call(endpoints.labelReports.path, { labels })
      if (outcome !== 'chargeback' || !payment) return
      const entries = [{ value: payment.card, note: 'Chargeback' }]
      await backend.call(endpoints.addListEntries.path, { name: stolenCards, entries, by: 'tomas' })
    },
  }
}
