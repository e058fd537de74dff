// Which settings does a start refuse that reading the configuration accepts? They are opened as the service opens them.

import { broken, type Finding, ok } from '@ringfence/server/admin/doctor/finding.ts'
import { nat64Prefixes } from '@ringfence/server/core/address/nat64-prefixes.ts'
import type { Config } from '@ringfence/server/core/config/config.ts'
import { secretsOf } from '@ringfence/server/core/config/secret-reference.ts'
import { playIntegrityKeys } from '@ringfence/server/device/attestation/android/play-integrity.ts'
import { rootsOf } from '@ringfence/server/device/attestation/android/roots.ts'
import { hostNames } from '@ringfence/server/ip/crawlers/host-names.ts'
import { trustedBlocks } from '@ringfence/server/ip/trusted-proxies.ts'
import { purposes } from '@ringfence/server/telecom/purpose/purposes.ts'
import { checkSourceOrder } from '@ringfence/server/telecom/source-order.ts'
import { withSource } from '../configuration.ts'
import { explain } from '../failure.ts'
import { configurationSummary } from '../serve/configuration-summary.ts'

const checks: readonly ((config: Config) => unknown)[] = [
  ({ settings }) => rootsOf(settings.keyAttestationRoots),
  ({ attestation }) => playIntegrityKeys(attestation?.playIntegrity ?? {}, secretsOf(process.env)),
  ({ settings }) => trustedBlocks(settings),
  ({ settings }) => nat64Prefixes(settings),
  ({ settings }) => hostNames(settings).close(),
  ({ consent }) => purposes(consent),
  ({ portability = {}, portabilitySources }) => checkSourceOrder(portability, new Set(Object.keys(portabilitySources))),
]

export function settingFindings(config: Config): Finding[] {
  const refused = checks.flatMap((check) => {
    try {
      check(config)
      return []
    } catch (error) {
      const todo = 'correct it: the service does not start with it'
      return [broken('configuration', explain(withSource(error, config)), todo)]
    }
  })
  return refused.length > 0 ? refused : [ok('configuration', configurationSummary(config))]
}
