// Which service do the tests of a file share? It starts before them and ends after them.

import { after, before } from 'node:test'
import { sqliteDatabases } from '../../../server/src/testing/databases.ts'
import {
  startTestService,
  type TestService,
  type TestServiceOptions,
} from '../../../server/src/testing/test-service.ts'

/** Call it outside of tests. @returns the service, once they run */
export function serviceOfFile(options: TestServiceOptions = {}): () => TestService {
  let service: TestService
  const ends: (() => Promise<unknown>)[] = []
  before(async () => {
    const t = { after: (end: () => Promise<unknown>) => ends.push(end) }
    // The clock of the service stands still, so the files of all pages count for one burst.
    const settings = { publicRatePerSecond: 10_000, ...options.settings }
    service = await startTestService(t as never, await sqliteDatabases.open(t as never), { ...options, settings })
  })
  after(async () => {
    for (const end of ends.toReversed()) await end()
  })
  return () => service
}
