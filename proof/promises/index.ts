// Which promises exist as programs? One line each.

import { abuse } from './abuse.ts'
import { badRequestsProgram } from './bad-requests.ts'
import { batches } from './batches.ts'
import { clearText } from './clear-text.ts'
import { clock } from './clock.ts'
import { cost } from './cost.ts'
import { events } from './events.ts'
import { failingDisk } from './failing-disk.ts'
import { failover } from './failover.ts'
import { identity } from './identity.ts'
import { joined } from './joined.ts'
import { kill } from './kill.ts'
import { mixedVersions } from './mixed-versions.ts'
import { overload } from './overload.ts'
import type { PromiseProgram } from './promise.ts'
import { revoked } from './revoked.ts'
import { rollingRestart } from './rolling-restart.ts'
import { rules } from './rules.ts'
import { tenants } from './tenants.ts'
import { timing } from './timing.ts'
import { tokens } from './tokens.ts'
import { upstreamFaults } from './upstream-faults.ts'
import { usedTokens } from './used-tokens.ts'

export const promises: readonly PromiseProgram[] = [
  kill,
  events,
  failingDisk,
  upstreamFaults,
  overload,
  rollingRestart,
  mixedVersions,
  failover,
  batches,
  badRequestsProgram,
  abuse,
  cost,
  tenants,
  revoked,
  tokens,
  usedTokens,
  clock,
  timing,
  clearText,
  rules,
  identity,
  joined,
]
