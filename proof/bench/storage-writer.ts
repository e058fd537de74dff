// Writes to a store, durably and in groups, as one of several processes that share it.

import { randomBytes } from 'node:crypto'
import { openDatabase } from '../../server/src/core/storage/open-database.ts'
import { telecomAnswersToStore } from '../../server/src/telecom/store/telecom-answers.ts'
import { cpuSeconds } from './harness/harness.ts'
import { answerParent, givenOptions } from './harness/processes.ts'

export interface Writing {
  /** Concurrent writes. */
  atOnce: number
  forMs: number
}

export interface Written {
  writes: number
  elapsedMs: number
  cpuSeconds: number
}

const database = await openDatabase(givenOptions<{ place: string }>().place)
const sealed = randomBytes(300)

answerParent<Writing>(async ({ atOnce, forMs }): Promise<Written> => {
  const startedAt = performance.now()
  const cpuBefore = cpuSeconds()
  let writes = 0
  const write = async () => {
    while (performance.now() - startedAt < forMs) {
      const numberHash = randomBytes(32)
      const answer = {
        tenantId: 'bench',
        numberHash,
        question: 'simSwap:240@acme',
        sealed,
        answeredAt: 1,
        expiresAt: 2,
      }
      await database.batch(telecomAnswersToStore([answer]))
      writes++
    }
  }
  await Promise.all(Array.from({ length: atOnce }, write))
  return { writes, elapsedMs: performance.now() - startedAt, cpuSeconds: cpuSeconds() - cpuBefore }
})
