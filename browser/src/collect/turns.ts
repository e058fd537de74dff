// How does the page stay responsive while facts are read? Long work pauses every few milliseconds.

const sliceMs = 8

/**
 * Returns a function to await between steps. It waits for other tasks once the time slice is used
 * up.
 */
export function turns(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since <= sliceMs) return
    await nextTask()
    since = performance.now()
  }
}

/** Uses a message, because browsers delay timers in background tabs by up to a second. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(undefined)
  })
}
