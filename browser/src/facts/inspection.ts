// Does anything look into this page from outside: a program over the browser's debugging protocol, or developer tools? V8 only.

import { nextTask } from '../collect/turns.ts'

// biome-ignore lint/suspicious/noConsole: the question is who reads it
const tell = console.debug
const awaits = 1000
const rounds = 3

/**
 * Whoever listens to the console gets errors with their stacks written out, for which V8 calls a function of the page; nobody
 * listening, nobody calls. Developer tools also follow asynchronous calls, which makes an `await` many times slower; protocol
 * clients do not. The entry is of the level that consoles hide by default.
 */
export async function inspection() {
  if (!('v8BreakIterator' in Intl) || !/native code/.test(String(tell))) return undefined
  const written = stacksWritten()
  return { stacksWritten: written, ...(written > 0 && { awaitRatio: await awaitRatio() }) }
}

/** The page's own console functions would read stacks as well, so only the browser's is asked. */
function stacksWritten(): number {
  const V8 = Error as { prepareStackTrace?: unknown }
  const own = Object.getOwnPropertyDescriptor(V8, 'prepareStackTrace')
  let written = 0
  try {
    V8.prepareStackTrace = () => {
      written++
      return ''
    }
    tell(new Error())
  } finally {
    if (own) Object.defineProperty(V8, 'prepareStackTrace', own)
    else delete V8.prepareStackTrace
  }
  return written
}

/** Time of so many awaits over that of plain arithmetic, which takes the speed of the machine out; the best of three. */
async function awaitRatio(): Promise<number> {
  let waited = Number.POSITIVE_INFINITY
  let computed = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) {
    await nextTask() // under developer tools a round is long
    const start = performance.now()
    for (let count = 0; count < awaits; count++) await undefined
    const middle = performance.now()
    let sum = 0
    for (let count = 0; count < awaits * 30; count++) sum = Math.sqrt(sum + count)
    waited = Math.min(waited, middle - start)
    // The clock ticks in tenths of a millisecond; `sum` is used, so that the loop is not left out.
    computed = Math.min(computed, Math.max(performance.now() - middle, sum < 0 ? 1 : 0.1))
  }
  return Math.round((waited / computed) * 100) / 100
}
