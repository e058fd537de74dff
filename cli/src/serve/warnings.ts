// What does a start warn about? What production needs and is missing, and what the sandbox opens to others.

import type { Service } from '@ringfence/server'
import { ledgerOf, readLedger } from '@ringfence/server/admin/privacy/ledger.ts'
import { pendingErasures } from '@ringfence/server/admin/privacy/repeat.ts'
import { countWithRole } from '@ringfence/server/admin/store/members.ts'
import { isLoopbackHost } from '@ringfence/server/core/address/called-url.ts'
import { pasteable } from '@ringfence/server/core/command-name.ts'
import type { Config } from '@ringfence/server/core/config/config.ts'
import { routesWithoutOperator } from '@ringfence/server/core/config/routing-settings.ts'
import { listTenants } from '@ringfence/server/core/storage/tenants.ts'
import {
  authorityMissing,
  withoutAuthority,
} from '@ringfence/server/sign-in/authentication/channels/identity-providers/authority.ts'
import type { Logger } from 'pino'
import { diskFinding } from '../doctor/disk-finding.ts'
import { liveSandboxClient, sandboxCredentialsPath } from './sandbox-credentials.ts'

/** Without the sandbox: what it provides and a service in production lacks, what it left behind in this store, and a disk that is almost full. */
export async function warnOfProduction(
  { channels, operators, routing, settings }: Config,
  needs: Service['parts'],
  log: Logger,
): Promise<void> {
  if (operators.length === 0 && !routesWithoutOperator(routing)) log.warn(noOperators)
  const outboxes = Object.keys(channels).filter((name) => channels[name]?.type === 'outbox')
  if (outboxes.length > 0) log.warn({ channels: outboxes }, outboxSendsNothing)
  for (const channel of withoutAuthority(channels))
    log.warn({ channel }, `the identity provider ${authorityMissing.text}: ${authorityMissing.todo}`)
  for (const { state, text, todo } of await diskFinding(settings.dataFolder)) {
    if (state !== 'ok') log.warn(`${text}: ${todo}`)
  }
  const { entries } = await readLedger(ledgerOf(settings)).catch(() => ({ entries: [] }))
  const pending = await pendingErasures(entries, needs)
  if (pending.length > 0) log.warn({ erasures: pending.length }, pasteable(erasuresPending))
  if (!(await hasOwner(needs))) log.info(pasteable(noOwner))
  const clientId = await liveSandboxClient(needs, settings.dataFolder)
  if (clientId !== undefined) {
    const file = sandboxCredentialsPath(settings.dataFolder)
    log.warn(
      { clientId, file },
      pasteable(`the credentials of the sandbox are still valid: run ringfence clients revoke ${clientId}`),
    )
  }
}

/** Of the console, in any tenant. */
async function hasOwner({ database }: Service['parts']): Promise<boolean> {
  for (const { id } of await listTenants(database)) if ((await countWithRole(database, id, 'owner')) > 0) return true
  return false
}

/** With the sandbox: who else may use it, and what its credentials reach. */
export function warnOfSandbox({ operators, settings }: Config, log: Logger): void {
  const names = operators.map(({ name }) => name)
  if (names.length > 0) log.warn({ operators: names }, sandboxReachesOperators)
  if (!isLoopbackHost(settings.host)) log.warn({ host: settings.host }, sandboxIsReachable)
}

const erasuresPending =
  'this store does not know erasures that erasures.ndjson has, so it was restored from an older backup: stop, and run ringfence privacy repeat'

const noOwner =
  'nobody can sign in to the console yet: ringfence people invite --role owner prints a one-time link for its first owner'

const noOperators =
  'no operators are configured, so SIM swap and call forwarding checks fail. Configure operators (--config FILE, docs/guides/connect-an-operator.md), or try Ringfence with test operators (--sandbox)'

const outboxSendsNothing =
  'channels of the type outbox are for development: they send nothing, and only serve --sandbox shows the messages'

const sandboxReachesOperators =
  'the credentials of the sandbox also call the operators of the configuration. Do not use --sandbox in production'

const sandboxIsReachable =
  'other machines can reach this sandbox, and one-time passwords are shown in its terminal. Listen on 127.0.0.1, or leave --sandbox out'
