// Can the apps of a tenant attest the phones that they want attested, and does a program get around it?

import { attestationPolicyOf } from '../../apps/app-settings.ts'
import { listApps, type StoredApp } from '../../apps/stored-apps.ts'
import { inputOf } from '../../rules/cases.ts'
import { always, compileOpenTest } from '../../rules/language/open-test.ts'
import type { RuleInput } from '../../rules/language/vocabulary.ts'
import { ruleStagesOf } from '../../rules/store/rule-sets.ts'
import { defaultVersion, type RuleStore, readVersion } from '../../rules/stored-version.ts'
import { type Finding, ok, warning } from './finding.ts'

export const attestsAndroid = ({ disabledAt, packageNames, settings }: StoredApp): boolean =>
  disabledAt === null && packageNames.length > 0 && attestationPolicyOf(settings, 'ANDROID') !== 'off'

/** Whichever phone a program claims to be. */
const requiresIt = ({ disabledAt, settings }: StoredApp) =>
  disabledAt === null && attestationPolicyOf(settings, 'ANDROID') === 'required'

/** Undefined where no app has phones attested. `subject` says whose apps they are, where there are several tenants. */
export async function attestationFinding(
  store: RuleStore,
  tenantId: string,
  subject = 'attestation',
): Promise<Finding | undefined> {
  const apps = await listApps(store.database, tenantId)
  const android = apps.filter(attestsAndroid)
  const required = apps.filter(requiresIt)
  if (android.length + required.length === 0) return undefined
  const unsigned = android.filter(({ settings }) => settings.androidCertificates.length === 0)
  const teamless = required.filter(
    ({ bundleIds, settings }) => bundleIds.length > 0 && settings.appleTeamId === undefined,
  )
  const { browsers, others } = await waysAround(store, tenantId, { apps, required })
  const gaps = [
    ['without androidCertificates no Android phone is attested', unsigned],
    ['without appleTeamId no iPhone is attested', teamless],
    ['whoever claims to be a browser proves nothing, and no live rule is about browsers alone', browsers],
    ['a phone proves nothing in another app, and no live rule is about the appId of', others],
  ] as const
  const found = gaps.flatMap(([text, of]) =>
    of.length > 0 ? [`${text}: ${of.map(({ name }) => name).join(', ')}`] : [],
  )
  if (found.length === 0) return ok(subject, 'the apps can attest their phones')
  return warning(subject, found.join('; '), 'set it up: docs/reference/key-attestation.md#set-up-the-app')
}

interface Ways {
  /** Apps that require an attestation, which a browser does not have. */
  readonly browsers: readonly StoredApp[]
  /** Apps with phones that need none. */
  readonly others: readonly StoredApp[]
}

/** An app id is public, and a decision takes the report of any app of the tenant. */
async function waysAround(
  store: RuleStore,
  tenantId: string,
  { apps, required }: Readonly<Record<'apps' | 'required', readonly StoredApp[]>>,
): Promise<Ways> {
  const live = apps.filter(({ disabledAt }) => disabledAt === null)
  const hasSite = live.some(({ origins }) => origins.length > 0)
  const others = live.filter((app) => app.bundleIds.length + app.packageNames.length > 0 && !required.includes(app))
  if (required.length === 0 || (!hasSite && others.length === 0)) return { browsers: [], others: [] }
  const stops = await stopping(store, tenantId)
  const inside = required.flatMap(({ id }) => phonesOf(id))
  const inBrowser = required.map(({ id }) => ({ appId: id, platform: 'WEB' }) as const)
  return {
    browsers: hasSite && !stops(inBrowser, inside) ? required : [],
    others: others.filter(({ id }) => !stops(phonesOf(id), inside)),
  }
}

type Sender = Required<Pick<RuleInput, 'appId' | 'platform'>>

const phonesOf = (appId: string): Sender[] => [
  { appId, platform: 'IOS' },
  { appId, platform: 'ANDROID' },
]

/** Asks whether a live rule can stop each of `those` senders, and none of the `spared`. */
async function stopping(store: RuleStore, tenantId: string) {
  const { live = defaultVersion } = await ruleStagesOf(store.database, tenantId)
  const { rules } = await readVersion(store, tenantId, live)
  return (those: readonly Sender[], spared: readonly Sender[]): boolean =>
    rules.some(({ when, action }) => {
      if (action === 'ALLOW' || action === 'WARN') return false
      const test = compileOpenTest(when, (path) => (path === 'platform' || path === 'appId' ? undefined : always))
      const fires = (sender: Sender) => test(inputOf({ ...sender }))
      return those.every((sender) => fires(sender) !== false) && spared.every((sender) => fires(sender) === false)
    })
}
