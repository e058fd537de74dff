// Can the apps of a tenant attest the phones that they want attested, and does a program get around it?

import { attestationPolicyOf } from '../../apps/app-settings.ts'
import { listApps, type StoredApp } from '../../apps/stored-apps.ts'
import { inputOf } from '../../rules/cases.ts'
import { always, compileOpenTest } from '../../rules/open-test.ts'
import { ruleStagesOf } from '../../rules/store/rule-sets.ts'
import { defaultVersion, type RuleStore, readVersion } from '../../rules/stored-version.ts'
import { type Finding, ok, warning } from './finding.ts'

export const attestsAndroid = ({ disabledAt, packageNames, settings }: StoredApp): boolean =>
  disabledAt === null && packageNames.length > 0 && attestationPolicyOf(settings, 'ANDROID') !== 'off'

const requiresIt = ({ disabledAt, settings }: StoredApp) =>
  disabledAt === null && Object.values(settings.attestation).includes('required')

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
  const hasSite = apps.some(({ disabledAt, origins }) => disabledAt === null && origins.length > 0)
  const open = hasSite && required.length > 0 && !(await stopsBrowsers(store, tenantId)) ? required : []
  const gaps = [
    ['without androidCertificates no Android phone is attested', unsigned],
    ['without appleTeamId no iPhone is attested', teamless],
    ['whoever claims to be a browser proves nothing, and no live rule is about browsers alone', open],
  ] as const
  const found = gaps.flatMap(([text, of]) =>
    of.length > 0 ? [`${text}: ${of.map(({ name }) => name).join(', ')}`] : [],
  )
  if (found.length === 0) return ok(subject, 'the apps can attest their phones')
  return warning(subject, found.join('; '), 'set it up: docs/reference/key-attestation.md#set-up-the-app')
}

/** Whether a live rule can fire for a browser, and for no phone. */
async function stopsBrowsers(store: RuleStore, tenantId: string): Promise<boolean> {
  const { live = defaultVersion } = await ruleStagesOf(store.database, tenantId)
  const { rules } = await readVersion(store, tenantId, live)
  return rules.some(({ when }) => {
    const test = compileOpenTest(when, (path) => (path === 'platform' ? undefined : always))
    const [web, ...phones] = ['WEB', 'IOS', 'ANDROID'].map((platform) => test(inputOf({ platform })))
    return web !== false && phones.every((fires) => fires === false)
  })
}
