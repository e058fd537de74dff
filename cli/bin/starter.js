// Has the program that started this process ended? Then nobody is left to stop it, so it stops itself.
//
// Plain JavaScript for older Nodes, as ringfence.js.

import { readFileSync } from 'node:fs'

/** Set for the newer Node that an older one hands over to. Their channel closes when the older one ends, however it ends. */
export const handedOver = 'RINGFENCE_HANDED_OVER'

/** npm opens no channel to what it runs, so its end is only seen by looking. */
const lookEveryMs = 1000

/** Sends SIGTERM to this process when the Node that handed over, or the npm or npx that runs this command, has ended. */
export function stopWithStarter() {
  const stop = () => process.kill(process.pid, 'SIGTERM')
  if (process.env[handedOver]) {
    delete process.env[handedOver]
    process.once('disconnect', stop)
    process.channel?.unref() // a listener would keep the process running
    if (!process.connected) stop()
    return
  }
  const parents = parentsUpToNpm()
  if (parents.length === 0) return
  const timer = setInterval(() => {
    if (parents.every(([child, parent]) => parentOf(child) === parent)) return
    clearInterval(timer)
    stop()
  }, lookEveryMs)
  timer.unref()
}

/**
 * Process and parent, from this process up to npm: npm runs a command in a shell, which dies at a SIGTERM without passing
 * it on. Empty when something else started this process. Only Linux shows the parents of other processes.
 */
function parentsUpToNpm() {
  const found = []
  for (let child = process.pid; child > 1; ) {
    const parent = parentOf(child)
    const [program = '', script = ''] = wordsOf(parent)
    found.push([child, parent])
    if ([program, script].some((word) => /(^|\/)(npm|npx|pnpm|yarn)\b/.test(word))) return found
    if (!/(^|\/)-?\w*sh$/.test(program)) return []
    child = parent
  }
  return []
}

function parentOf(pid) {
  if (pid === process.pid) return process.ppid
  try {
    // After the name in brackets, which may contain anything: state and parent.
    return Number(/\) \S (\d+)[^)]*$/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1])
  } catch {
    return undefined // it has ended
  }
}

function wordsOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split(/[\0 ]/)
  } catch {
    return []
  }
}
