// When does `serve --sandbox` make demo traffic? Once, in a store in which nothing has happened yet, in a process of low priority.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { removeDemo } from '@ringfence/server/admin/demo/remove-demo.ts'
import { claimDemo, type DemoRow, findDemo, isUnused } from '@ringfence/server/admin/store/demo.ts'
import type { Parts } from '@ringfence/server/parts.ts'
import { claimMs, type Order, type Outcome } from './order.ts'

export interface Demo {
  /** Stops making it. The next start makes it from the beginning. */
  stop(): Promise<void>
}

export interface DemoOptions {
  readonly needs: Parts
  /** Whose owners see the demo. */
  readonly tenantId: string
  /** Called with a line for the terminal. */
  readonly say: (line: string) => void
}

/** Returns at once. `stop` must be called before the service stops. */
export function startDemo(options: DemoOptions): Demo {
  const stopping = new AbortController()
  const stopped = stopping.signal
  let child: ChildProcess | undefined
  const making = claimed(options, stopped).then(async (demo) => {
    if (!demo || stopped.aborted) return
    child = fork(fileURLToPath(new URL('./demo-maker.ts', import.meta.url)), {
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    await made(child, demo, options)
  })
  making.catch((error) => {
    if (!stopped.aborted)
      options.needs.log.warn({ err: error }, 'the demo traffic is not complete; the next start makes it')
  })
  return {
    async stop() {
      stopping.abort()
      child?.kill()
      await making.catch(() => undefined)
    },
  }
}

/** The demo that this process is to make; undefined when there is none to make. Waits for a maker that may have been killed. */
async function claimed({ needs, tenantId }: DemoOptions, stopped: AbortSignal): Promise<DemoRow | undefined> {
  const { database, clock } = needs
  for (;;) {
    const found = await findDemo(database, tenantId)
    if (!found && !(await isUnused(database))) return undefined
    const now = clock.now()
    if (found?.stage === 'removing' && found.makerUntil < now) {
      await removeDemo(found, needs)
      return undefined
    }
    const demo = await claimDemo(database, { tenantId, now, makerUntil: now + claimMs })
    if (demo || (found?.stage !== 'making' && found?.stage !== 'removing')) return demo
    await wait(Math.max(0, found.makerUntil - now) + 100, undefined, { signal: stopped, ref: false })
  }
}

async function made(child: ChildProcess, demo: DemoRow, { needs: { settings }, say }: DemoOptions): Promise<void> {
  say('A month of demo traffic is being made, for about two minutes. The console shows it in the tenant demo.')
  let outcome: Outcome | undefined
  child.once('message', (message) => {
    outcome = message as Outcome
  })
  child.send({ settings, demo } satisfies Order)
  const [code] = await once(child, 'exit')
  if (!outcome) throw new Error(`the process that makes the demo traffic ended with ${code}`)
  if ('made' in outcome) {
    const { decisions, people } = outcome.made
    say(`The demo traffic is complete: ${decisions.toLocaleString('en')} decisions about ${people} people.`)
  }
}
