// What do rules read about the account of a session, and what does the account learn from it?

import type { Core } from '../core/core.ts'
import { withoutUnknown } from '../core/json/without-unknown.ts'
import type { BatchStatement } from '../core/storage/database.ts'
import { uuidBytes } from '../core/storage/uuid.ts'
import type { Analysis } from '../device/analysis/analyse.ts'
import { historySince } from '../device/history/retention.ts'
import { type AccountDevice, accountsOfDevice, devicesOfAccount } from '../device/store/account-devices.ts'
import { accountsOfNumber } from '../device/store/account-knowledge.ts'
import { accountHashOf, numberHashOf } from '../events/subject-hashes.ts'
import type { RuleInput } from '../rules/language/vocabulary.ts'
import { beforeSession } from './before-session.ts'
import { type KnownForAccount, knownForAccount } from './devices/known-for-account.ts'
import { isNew, isRare } from './habits.ts'
import { type Source, trusted } from './knowledge.ts'
import { lesson, readKnowledge, type StoredKnowledge } from './learn.ts'
import { type AccountSession, type ShownSession, shownBy } from './session.ts'
import { type PlaceAt, travelBetween } from './travel.ts'

export type AccountInput = NonNullable<RuleInput['account']>

export interface AskedAccount {
  readonly tenantId: string
  readonly userId: string
  /** The device of the session. A promise: the account is read side by side with it. */
  readonly analysis?: Analysis | undefined | Promise<Analysis | undefined>
  /** Digits with country code. */
  readonly phoneNumber?: string | undefined
  /** When the user signed in for this session, epoch milliseconds: what this sign-in taught is left out of the input. */
  readonly signedInAt?: number | undefined
  /** The account, where its reading began earlier. */
  readonly stored?: Promise<StoredAccount> | undefined
}

/** What is known under the id of a user alone, before anything of the session is. */
export interface StoredAccount {
  readonly knowledge: StoredKnowledge
  readonly devices: readonly AccountDevice[]
}

/** An account as it was read. */
export interface AccountKnowledge {
  readonly accountHash: Uint8Array
  /** Whether the account knows the device; undefined without one. */
  readonly known: KnownForAccount | undefined
  /** What rules read about the account and this session. */
  inputOf(shown: ShownSession): AccountInput
  /** Statements for the commit of a proven session (`isProven`). They never fail it; none when there is nothing new. */
  lessonOf(shown: ShownSession): BatchStatement[]
  /** What this session shows; store it with the decision, for its label. */
  shownBy(session: AccountSession): ShownSession
}

type Services = Pick<Core, 'database' | 'tenantKeyring' | 'clock' | 'settings'>

/** Two queries by key, side by side. */
export async function storedAccount(
  { tenantId, userId }: Pick<AskedAccount, 'tenantId' | 'userId'>,
  { database, tenantKeyring, clock, settings }: Services,
): Promise<StoredAccount> {
  const keys = await tenantKeyring.keysOf(tenantId)
  const account = { tenantId, accountHash: accountHashOf(userId, keys) }
  const [knowledge, devices] = await Promise.all([
    readKnowledge(database, account, keys),
    devicesOfAccount(database, account.accountHash, historySince(clock.now(), settings)),
  ])
  return { knowledge, devices }
}

/** Reads the account unless that began earlier, and by key who shares its number and its device. */
export async function accountKnowledge(asked: AskedAccount, needs: Services): Promise<AccountKnowledge> {
  const { tenantId, userId, phoneNumber, signedInAt } = asked
  const { database, tenantKeyring, clock, settings } = needs
  const keys = await tenantKeyring.keysOf(tenantId)
  const since = historySince(clock.now(), settings)
  const reading = asked.stored ?? storedAccount({ tenantId, userId }, needs)
  const [{ knowledge: stored }, sameNumber, ofDevice] = await Promise.all([
    reading,
    phoneNumber === undefined ? undefined : accountsOfNumber(database, numberHashOf(phoneNumber, keys), since),
    deviceOf(asked, reading, needs),
  ])
  const sources = trusted(stored.knowledge, since)
  const { accountHash } = stored.account
  const own = Buffer.from(accountHash).toString('hex')
  const linked = new Set([...(sameNumber ?? []), ...(ofDevice?.accounts ?? [])])
  linked.delete(own)
  // A decision that proved the visit before is knowledge: the person is not asked twice.
  const unprovenSince = ofDevice?.known.answer === 'yes' ? undefined : ofDevice?.visitedAt
  const isLinkable = sameNumber !== undefined || ofDevice !== undefined
  return {
    accountHash,
    known: ofDevice?.known,
    inputOf: (shown) => ({
      ...inputOfSources(
        beforeSession(sources, shown, { signedInAt, visitedAt: unprovenSince }),
        shown,
        ofDevice?.known.answer,
      ),
      ...(ofDevice && { knownDevice: ofDevice.known.answer }),
      ...(ofDevice?.isProvenByKey && provenHere(sources, shown)),
      ...(isLinkable && { linkedAccounts: linked.size }),
    }),
    lessonOf: (shown) => lesson(stored, shown, keys, since),
    shownBy: (session) => shownBy(session, keys),
  }
}

async function deviceOf(
  { tenantId, userId, analysis: asked }: AskedAccount,
  stored: Promise<StoredAccount>,
  needs: Services,
) {
  const analysis = await asked
  if (analysis?.deviceId === undefined) return undefined
  const [known, accounts] = await Promise.all([
    stored.then(({ devices }) => knownForAccount({ tenantId, userId, analysis, devices, isForDecision: true }, needs)),
    accountsOfDevice(needs.database, uuidBytes(analysis.deviceId)),
  ])
  const isProvenByKey = known.answer === 'yes' && analysis.identification?.by === 'key'
  return { known, accounts, visitedAt: analysis.evidence.now, isProvenByKey }
}

/** Also when it is the sign-in of this session: then the user has just proven it. */
function provenHere(sources: readonly Source[], { source, at }: ShownSession) {
  const own = sources.find(({ id }) => id === source)
  return own && { hoursSinceProvenHere: Math.max(0, at - own.lastAt) / hourMs }
}

const hourMs = 3_600_000
const dayMs = 86_400_000
/** So long must a device be known before its key explains an impossible travel. An attacker's first session must not. */
const establishedDays = 3

function inputOfSources(
  sources: readonly Source[],
  shown: ShownSession,
  known: AccountInput['knownDevice'],
): Omit<AccountInput, 'knownDevice' | 'linkedAccounts'> {
  const sessions = sources.reduce((sum, source) => sum + source.sessions, 0)
  if (sessions === 0) return { sessions }
  const days = (from: number) => Math.max(0, shown.at - from) / dayMs
  const own = sources.find(({ id }) => id === shown.source)
  const isEstablished = known === 'yes' && own !== undefined && days(own.firstAt) >= establishedDays
  const last = lastPlaceOf(sources)
  const travel = last && shown.place && travelBetween(last, { place: shown.place, at: shown.at }, { isEstablished })
  return {
    sessions,
    ageDays: days(Math.min(...sources.map(({ firstAt }) => firstAt))),
    daysSinceLastSession: days(Math.max(...sources.map(({ lastAt }) => lastAt))),
    ...withoutUnknown({
      newCountry: isNew('country', sources, shown),
      rareCountry: isRare('country', sources, shown),
      newNetwork: isNew('network', sources, shown),
      rareNetwork: isRare('network', sources, shown),
      newOperator: isNew('operator', sources, shown),
      newNumber: isNew('number', sources, shown),
      unusualHour: isRare('hour', sources, shown),
      travel,
    }),
  }
}

const lastPlaceOf = (sources: readonly Source[]): PlaceAt | undefined =>
  sources
    .flatMap(({ last }) => last ?? [])
    .reduce<PlaceAt | undefined>((newest, place) => (newest && newest.at >= place.at ? newest : place), undefined)

/** What a decision is, when it asks whether its session counts for the account. */
export interface DecidedSession {
  /** The strongest action of its rules. */
  readonly action: 'ALLOW' | 'WARN' | 'REVIEW' | 'CHALLENGE' | 'BLOCK'
  /** The request has a valid token of a sign-in of this user. */
  readonly hasLogin: boolean
  readonly input: Pick<AccountInput, 'knownDevice'>
}

/**
 * Whether a decision proves its session: its token is a sign-in of the user, or its device proves a key that was confirmed for the user
 * before; and no rule doubted it. That a backend names a user is no proof: it may ask before the password is checked.
 */
export const isProven = ({ action, hasLogin, input }: DecidedSession): boolean =>
  (action === 'ALLOW' || action === 'WARN') && (hasLogin || input.knownDevice === 'yes')
