// How does a thread leave the cores to requests? It takes a low priority, where the system knows priorities of threads.

import { readlinkSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

const niceness = 10
const lowest = 19

/**
 * Lowers the priority of the calling thread. On Linux each thread has its own; elsewhere nothing changes. Beside a busy event loop,
 * the thread gets a tenth of a core and not half: whoever signs in still comes in.
 */
export function takeLowPriority(): void {
  try {
    const [processId, , threadId] = readlinkSync('/proc/thread-self').split('/').map(Number)
    // In another namespace, the number of this thread may be that of another one.
    if (processId === process.pid) setPriority(threadId!, Math.min(getPriority(threadId) + niceness, lowest))
  } catch {
    // No Linux, or not allowed: the work is done all the same.
  }
}
