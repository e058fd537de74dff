// How does the demo traffic disappear? All of it is older than the first start, so everything from before that expires at once.

import type { Database } from '../../core/storage/database.ts'
import { lowestIdAt } from '../../core/storage/ids/event-id.ts'
import { dropDecisionsBefore } from '../../decisions/store/decisions.ts'
import { dropDevicesBefore } from '../../device/history/retention.ts'
import { dropEventsBefore } from '../../events/store/events.ts'
import { listsOf } from '../../rules/store/lists.ts'
import { ruleStagesOf } from '../../rules/store/rule-sets.ts'
import { defaultVersion } from '../../rules/stored-version.ts'
import { deleteUser, usersIdleSince } from '../../sign-in/store/users.ts'
import { recountActivity } from '../overview/count-activity.ts'
import { type DemoRow, demosToRemove, markDemoRemoved } from '../store/demo.ts'
import type { DemoNeeds } from './room.ts'

type Resources = Pick<DemoNeeds, 'database' | 'tenantKeyring' | 'clock' | 'settings' | 'rules'>

/** Rows per statement, so that other writes do not wait long. */
const slice = 500
/** Who is named in the history of rules and lists. */
export const demoAuthor = 'demo'

/** Removes every demo whose removal was requested, unless its maker still runs: then the maker does it when it stops. */
export async function removeRequestedDemos(resources: Resources): Promise<void> {
  for (const demo of await demosToRemove(resources.database)) {
    if (demo.makerUntil < resources.clock.now()) await removeDemo(demo, resources)
  }
}

/** Deletes everything that the demo made. May run again after it was interrupted, and on two servers at once. */
export async function removeDemo(demo: Pick<DemoRow, 'tenantId' | 'untilAt'>, resources: Resources): Promise<void> {
  await clearDemo(demo, resources)
  await recountActivity(demo.tenantId, resources)
  await markDemoRemoved(resources.database, demo.tenantId)
}

/**
 * The store had no other traffic when the demo began, so all that is older is the demo's. What was used since then, such as a device
 * or a list, stays. So do the versions of its rules, which are never deleted.
 */
export async function clearDemo(
  { tenantId, untilAt }: Pick<DemoRow, 'tenantId' | 'untilAt'>,
  resources: Resources,
): Promise<void> {
  const { database } = resources
  await endRules(tenantId, untilAt, resources)
  await dropLists(tenantId, untilAt, resources)
  while ((await dropDecisionsBefore(database, untilAt, slice)) >= slice);
  while ((await dropUsersBefore(database, untilAt)) >= slice);
  await dropDevicesBefore({ contents: untilAt, history: untilAt }, resources)
  while ((await dropEventsBefore(database, tenantId, lowestIdAt(untilAt), slice)) >= slice);
}

/** Users whose last sign-in is the demo's. @returns how many */
async function dropUsersBefore(database: Database, before: number): Promise<number> {
  const users = await usersIdleSince(database, { before, limit: slice })
  await database.transaction(async (tx) => {
    for (const { tenantId, id } of users) await deleteUser(tx, tenantId, id)
  })
  return users.length
}

/** The rules that come with Ringfence apply again, unless somebody has changed them since. */
async function endRules(tenantId: string, before: number, { database, rules }: Resources): Promise<void> {
  const author = { by: demoAuthor, note: 'The demo was removed' }
  const ofDemo = new Set(
    (await rules.versions(tenantId)).flatMap(({ version, createdAt }) =>
      createdAt !== undefined && createdAt < before ? [version] : [],
    ),
  )
  const { live, shadow } = await ruleStagesOf(database, tenantId)
  if (shadow !== undefined && ofDemo.has(shadow)) await rules.endShadow(tenantId, author)
  if (live !== undefined && ofDemo.has(live)) {
    await rules.live(tenantId, defaultVersion, author, { untried: true })
  }
}

async function dropLists(tenantId: string, before: number, { database, rules: { lists } }: Resources): Promise<void> {
  for (const { name, changedAt, createdAt } of await listsOf(database, tenantId)) {
    if (createdAt < before && changedAt < before) await lists.delete(tenantId, name, demoAuthor)
  }
}
