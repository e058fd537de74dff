// Where do the copied records come from? A part of the demo month: real calls of SDK and backend against a service of their own.

import { makeDemo } from '../../../cli/src/demo/make-demo.ts'
import { claimMs } from '../../../cli/src/demo/order.ts'
import { storyOf } from '../../../cli/src/demo/story.ts'
import { claimDemo } from '../../../server/src/admin/store/demo.ts'
import type { Parts } from '../../../server/src/parts.ts'

/**
 * @param every how many of its sessions are played: all of them would take a minute on a busy machine
 * @returns the id of the tenant
 */
export async function playMonth(needs: Parts, every = 3): Promise<string> {
  const { database, settings, tenantKeyring } = needs
  const { id: tenantId } = await tenantKeyring.createTenant('main')
  const now = Date.now()
  const demo = await claimDemo(database, { tenantId, now, makerUntil: now + 10 * claimMs })
  const story = storyOf(14)
  const sessions = story.sessions.filter((_, index) => index % every === 0)
  const outcome = await makeDemo({ settings, demo: demo! }, { ...story, sessions })
  if (!('made' in outcome)) throw new Error('somebody else has made or removed the demo')
  return outcome.made.tenantId
}
