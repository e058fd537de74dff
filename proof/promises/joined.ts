// Can a decision be talked out of what it knows? A page names nobody, replays a clean report, or brings a token of somebody else along.

import { type Decision, endpoints } from '@ringfence/contract'
import { openDatabase } from '../../server/src/core/storage/open-database.ts'
import { browserClient, headersOf, ordinaryFacts } from '../../server/src/device/testdata/ordinary-report.ts'
import { recorded } from '../../server/src/device/testdata/recordings.ts'
import type { TestDatabases } from '../../server/src/testing/databases.ts'
import { newInstallationKey } from '../../server/src/testing/installation-key.ts'
import { createApp, type SdkClientOptions, sdkClient } from '../../server/src/testing/sdk-client.ts'
import { startTestService, type TestService } from '../../server/src/testing/test-service.ts'
import type { PromiseProgram, RunOptions } from './promise.ts'
import { masterKey } from './testbed/operator.ts'
import { onEachEngine } from './testbed/stores.ts'

export const joined: PromiseProgram = {
  name: 'joined',
  promise: 'sign-in, device and report are one session: no page leaves out, replays or exchanges a part unnoticed',
  async run(run) {
    return { figures: await onEachEngine((databases) => attacked(databases, run)) }
  },
}

const number = '917020141726'
const [home, elsewhere] = ['49.36.128.1', '81.2.69.142']
const automated = { ...ordinaryFacts, automation: { ...ordinaryFacts.automation, webdriver: true } }
const other = recorded('firefox-day-before')

/** Two servers on one store, with the default rules. */
async function attacked({ engine, place }: TestDatabases, run: RunOptions) {
  const at = await place(run)
  const settings = {
    masterKey,
    trustedProxies: '127.0.0.0/8',
    overloadDelayMs: 60_000,
    clientRatePerSecond: 10_000,
    appRatePerSecond: 10_000,
    appRateBurst: 10_000,
  } as const
  const servers: TestService[] = []
  for (let server = 0; server < 2; server++) {
    const database = await openDatabase(at)
    run.after(() => database.close())
    servers.push(await startTestService(run, database, { settings }))
  }
  const attack: Attack = {
    servers,
    run: { ...run, unless: (holds, why) => run.unless(holds, () => `${engine}: ${why()}`) },
  }
  const missed: Record<string, number> = {}
  let decisions = 0
  const rounds = run.full ? 20 : 2
  for (let round = 0; round < rounds; round++) {
    for (const [name, play] of Object.entries(attacks)) {
      const made = await play(attack, round)
      decisions += made.length
      missed[name] = (missed[name] ?? 0) + made.filter(({ isCaught }) => !isCaught).length
      for (const { isCaught, decision, who } of made) {
        attack.run.unless(
          isCaught,
          () => `${name}: ${who} is answered ${decision.action}, ${codesOf(decision).join(' ')}`,
        )
      }
    }
  }
  return { attacks: Object.keys(attacks).length * rounds, decisions, ...missed }
}

interface Attack {
  readonly servers: readonly TestService[]
  readonly run: RunOptions
}

/** A decision of an attack, and whether the rules see what they must see. */
interface Made {
  readonly who: string
  readonly decision: Decision
  readonly isCaught: boolean
}

const codesOf = ({ reasons }: Decision) => reasons.map(({ code }) => code)
const isStopped = ({ action }: Decision) => action === 'CHALLENGE' || action === 'REVIEW' || action === 'BLOCK'

async function decide({ servers: [service] }: Attack, body: object, at = service!): Promise<Decision> {
  const answer = await at.post(endpoints.decide.path, { action: 'LOGIN', ...body }, { ...service!.credentials })
  if (answer.status !== 200) throw new Error(`a decision is answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

async function visit({ servers: [service] }: Attack, facts: object, options: SdkClientOptions & { ip?: string } = {}) {
  const { ip = home, headers, app = await createApp(service!), ...more } = options
  const client = headers ? sdkClient : browserClient
  const as = { ...headers, 'x-forwarded-for': ip }
  return (await client(service!, { app, headers: as, ...more })).fingerprint(facts)
}

/** A verified sign-in on the device of this engine call. */
async function signIn({ servers: [service] }: Attack, userId: string, requestId: string): Promise<string> {
  const verifiedAt = new Date(service!.clock.now()).toISOString()
  const identities = [
    { identityType: 'MOBILE', identityValue: number, channel: 'OTP', methods: ['SMS'], verified: true, verifiedAt },
  ]
  return (await service!.post(endpoints.issueToken.path, { userId, identities, requestId })).body.token
}

/** One device, whose users the page does not name. The fifth is the first of many. */
async function pageNamesNobody(attack: Attack, round: number): Promise<Made[]> {
  const made: Made[] = []
  const app = await createApp(attack.servers[0]!)
  const key = newInstallationKey()
  for (let user = 1; user <= 12; user++) {
    const { dfrId } = await visit(attack, ordinaryFacts, { app, key })
    const decision = await decide(attack, { userId: `n-${round}-${user}`, dfrId }, attack.servers[user % 2])
    made.push({ who: `user ${user}`, decision, isCaught: user < 5 || decision.rules.fired.includes('many-accounts') })
  }
  return made
}

/** 60 at once on two servers: one has the report, two are a warning, the others have none. */
async function oneReportForAll(attack: Attack, round: number): Promise<Made[]> {
  const { dfrId } = await visit(attack, ordinaryFacts, { key: newInstallationKey() })
  const decisions = await Promise.all(
    Array.from({ length: 60 }, (_, user) =>
      decide(attack, { userId: `r-${round}-${user}`, dfrId }, attack.servers[user % 2]),
    ),
  )
  const unnoticed = decisions.filter((decision) => !codesOf(decision).includes('REPORT_REUSED'))
  const used = decisions.filter(({ device }) => device)
  attack.run.unless(unnoticed.length === 1, () => `${unnoticed.length} of 60 users have one report to themselves`)
  attack.run.unless(used.length === 3, () => `one report is evidence for ${used.length} of 60 users`)
  return decisions.map((decision, user) => ({
    who: `user ${user}`,
    decision,
    isCaught: decision === unnoticed[0] || (decision.device ? decision.action !== 'ALLOW' : isStopped(decision)),
  }))
}

/** The token of X on the device of Y, and without any report. */
async function tokenOfAnother(attack: Attack, round: number): Promise<Made[]> {
  const userId = `t-${round}`
  const own = await visit(attack, ordinaryFacts, { key: newInstallationKey() })
  const thiefs = await visit(attack, other.facts, {
    key: newInstallationKey(),
    headers: headersOf(other),
    ip: elsewhere,
  })
  const bodies = [{ dfrId: thiefs.dfrId }, { ip: elsewhere }, {}, { dfrId: null, ip: home }, { dfrId: 'made-up' }]
  const made: Made[] = []
  for (const body of bodies) {
    const decision = await decide(attack, { userId, token: await signIn(attack, userId, own.requestId), ...body })
    made.push({
      who: JSON.stringify(body),
      decision,
      isCaught: isStopped(decision) && decision.account?.knownDevice !== 'yes',
    })
  }
  return made
}

/** Its own report, somebody else's clean one, and none. */
async function automatedSignIn(attack: Attack, round: number): Promise<Made[]> {
  const userId = `a-${round}`
  const own = await visit(attack, automated)
  const clean = await visit(attack, other.facts, { headers: headersOf(other) })
  const made: Made[] = []
  for (const body of [{ dfrId: own.dfrId }, { dfrId: clean.dfrId }, {}, { ip: home }]) {
    const decision = await decide(attack, { userId, token: await signIn(attack, userId, own.requestId), ...body })
    made.push({ who: JSON.stringify(body), decision, isCaught: decision.action === 'BLOCK' })
  }
  return made
}

/** A token that its owner has used, and that twelve thieves send at once. */
async function stolenToken(attack: Attack, round: number): Promise<Made[]> {
  const userId = `s-${round}`
  const own = await visit(attack, ordinaryFacts, { key: newInstallationKey() })
  const token = await signIn(attack, userId, own.requestId)
  await decide(attack, { userId, token, dfrId: own.dfrId })
  const late = await Promise.all(
    Array.from({ length: 12 }, (_, thief) => decide(attack, { userId, token, ip: home }, attack.servers[thief % 2])),
  )
  return late.map((decision, thief) => ({
    who: `thief ${thief}`,
    decision,
    isCaught: isStopped(decision) && !decision.login && !decision.device,
  }))
}

/** By what is counted as missed. A thief's first link has its tests in decisions/person/. */
const attacks: Readonly<Record<string, (attack: Attack, round: number) => Promise<Made[]>>> = {
  'missed where the page names nobody': pageNamesNobody,
  'missed of one report for 60 users': oneReportForAll,
  'missed where a token comes from another device': tokenOfAnother,
  'missed of an automated sign-in': automatedSignIn,
  'missed of a stolen token': stolenToken,
}
