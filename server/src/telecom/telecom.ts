// What do the telecom checks use? Connectors, operators, number data and stored answers, opened from the configuration.

import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Clock } from '../core/clock.ts'
import { type Config, ConfigurationError } from '../core/config/config.ts'
import { openKind } from '../core/config/open-kind.ts'
import type { ReadSecret } from '../core/config/secret-reference.ts'
import type { TenantKeyring } from '../core/crypto/tenant-keyring.ts'
import type { Metrics } from '../core/metrics/metrics.ts'
import type { Database } from '../core/storage/database.ts'
import { openPhoneMetadata } from '../phone/phone-metadata.ts'
import { checkCallbacks } from '../upstream/oauth/callback-url.ts'
import type { UpstreamResources } from '../upstream/upstream-resources.ts'
import { type Answers, answers } from './answers.ts'
import type { Connector } from './connectors/connector.ts'
import { connectorKinds } from './connectors/index.ts'
import { type Costs, costs } from './costs/costs.ts'
import { meter } from './costs/meter.ts'
import { type Reuse, reuse as reuseOf } from './freshness/reuse.ts'
import { operatorRegistry } from './operator-registry.ts'
import { type Operators, operators } from './operators.ts'
import { portabilitySourceKinds } from './portability-sources/index.ts'
import { openNumberSources } from './portability-sources/number-sources.ts'
import type { PortabilitySource } from './portability-sources/source.ts'
import { type Purposes, purposes } from './purpose/purposes.ts'
import { checkRouting } from './routing/check-routing.ts'
import { type Latencies, latencies } from './routing/latency.ts'
import { type Router, router } from './routing/router.ts'
import { checkSourceOrder } from './source-order.ts'

/** Built by `npm ci` (scripts/build-phone-metadata.ts). */
const phoneMetadataPath = fileURLToPath(new URL('../../dist/phone-metadata.bin', import.meta.url))

export interface Telecom {
  operators: Operators
  router: Router
  /** By their names in the configuration. */
  connectors: ReadonlyMap<string, Connector>
  /** The names of those that verify phones. */
  verifying: readonly string[]
  costs: Costs
  purposes: Purposes
  reuse: Reuse
  /** Of this server. */
  latencies: Latencies
  answers: Answers
  close(): Promise<void>
}

export interface TelecomResources {
  config: Config
  database: Database
  tenantKeyring: TenantKeyring
  clock: Clock
  log: Logger
  metrics: UpstreamResources['metrics'] & Pick<Metrics, 'add'>
  tracing: UpstreamResources['tracing']
  readSecret: ReadSecret
}

/** Opens what the checks need. Throws a ConfigurationError that names the key, or a DataFileError that names the file. */
export async function openTelecom(resources: TelecomResources): Promise<Telecom> {
  const { config, database, tenantKeyring, clock, log } = resources
  const opened: { close?(): Promise<void> }[] = []
  const closeAll = async () => {
    await Promise.all(opened.map((part) => part.close?.()))
  }
  try {
    const connectors = new Map<string, Connector>()
    for (const [name, entry] of Object.entries(config.connectors)) {
      const connector = openKind('connectors', name, entry, connectorKinds, resources)
      opened.push(connector)
      connectors.set(name, connector)
    }
    const verifying = verifyingOf(connectors)
    const remote: PortabilitySource[] = []
    for (const [name, entry] of Object.entries(config.portabilitySources)) {
      const source = openKind('portabilitySources', name, entry, portabilitySourceKinds, { ...resources, connectors })
      opened.push(source)
      remote.push(source)
    }
    checkRouting(config, connectors)
    checkSourceOrder(config.portability ?? {}, new Set(remote.map(({ name }) => name)))
    const imported = await openNumberSources({
      dataFolder: config.settings.dataFolder,
      clock,
      onProblem: (problem) =>
        log.error({ err: problem }, 'cannot use the newer number data; continuing with the previous data'),
    })
    opened.push(imported)
    const allowed = purposes(config.consent)
    const isPurposeRequired = (tenantId: string) => allowed.requires(tenantId)
    const stored = answers({ database, tenantKeyring, clock, log, isPurposeRequired })
    const paid = costs({ settings: config.costs, database, clock })
    return {
      answers: stored,
      connectors,
      verifying,
      router: router({ ...config, connectors }),
      costs: paid,
      purposes: allowed,
      latencies: latencies(),
      reuse: reuseOf(config),
      operators: operators({
        registry: operatorRegistry(config.operators),
        order: config.portability,
        sources: async () => [...(await imported.newest()), ...remote],
        metadata: openPhoneMetadata(phoneMetadataPath),
        answers: stored,
        meterOf: (tenantId) => meter({ costs: paid, metrics: resources.metrics, log }, tenantId, 'portability'),
        portabilityReuseSeconds: config.settings.portabilityReuseSeconds,
        clock,
        log,
      }),
      close: closeAll,
    }
  } catch (error) {
    await closeAll()
    throw error
  }
}

/** Throws a ConfigurationError that names the key, for a connector whose name cannot be in its callback URL. */
function verifyingOf(connectors: Telecom['connectors']): string[] {
  const verifying = [...connectors.values()].flatMap(({ name, numberVerification }) =>
    numberVerification ? [name] : [],
  )
  try {
    checkCallbacks('connectors', verifying)
  } catch (error) {
    throw new ConfigurationError((error as Error).message)
  }
  return verifying
}
