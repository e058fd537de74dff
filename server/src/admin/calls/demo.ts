// /admin/v1/demo: the demo traffic of a sandbox.

import type { DemoState, NoFields } from '@ringfence/contract'
import { Refusal } from '../../core/errors.ts'
import type { ActorCall } from '../call.ts'
import { removeDemo } from '../demo/remove-demo.ts'
import type { AdminNeeds } from '../room.ts'
import { type DemoRow, findDemo, requestDemoRemoval } from '../store/demo.ts'
import { isoTime } from './iso-time.ts'

export async function adminReadDemo(
  _: NoFields,
  { actor: { tenantId } }: ActorCall,
  { database }: AdminNeeds,
): Promise<DemoState> {
  const demo = await findDemo(database, tenantId)
  return demo ? stateOf(demo) : { state: 'none', progress: 1, people: 0, sessions: 0, decisions: 0 }
}

/** Refuses with `demoUnknown`. */
export async function adminRemoveDemo(
  _: NoFields,
  { actor: { tenantId } }: ActorCall,
  needs: AdminNeeds,
): Promise<DemoState> {
  const { database, clock } = needs
  const demo = await findDemo(database, tenantId)
  // The audit line would go with the demo's own tenant.
  if (demo?.tenantId !== tenantId) throw new Refusal('demoUnknown')
  const isRequested = await requestDemoRemoval(database, tenantId)
  // A process that is still making it stops within seconds, and deletes it itself.
  if (isRequested && demo.makerUntil < clock.now()) await removeDemo(demo, needs)
  return stateOf((await findDemo(database, tenantId)) ?? demo)
}

function stateOf({ tenantId, demoTenantId, stage, ...made }: DemoRow): DemoState {
  const { untilAt, sessionsPlanned, sessionsMade, decisionsMade, people } = made
  const known = { state: stage, until: isoTime(untilAt), madeFor: tenantId }
  if (stage === 'removed') return { ...known, progress: 1, people: 0, sessions: 0, decisions: 0 }
  const counts = { people, sessions: sessionsMade, decisions: decisionsMade }
  const progress = stage === 'making' ? Math.min(1, sessionsMade / Math.max(1, sessionsPlanned)) : 1
  return { ...known, ...(demoTenantId !== null && { tenantId: demoTenantId }), progress, ...counts }
}
