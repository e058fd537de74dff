// When does a test ask about an IP address that is on a list? When the service has read the lists, for which a request waits 250 ms only.

import type { TestService } from '../../testing/test-service.ts'
import { until } from '../../testing/until.ts'

/** Resolves when the lists of the first update are in use. */
export async function readLists({ parts: { ip } }: Pick<TestService, 'parts'>): Promise<void> {
  await until(async () => (await ip.lists.inUse()).length > 0)
}
