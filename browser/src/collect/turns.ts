// How does the page keep its turn while facts are read? Long work stops every few milliseconds, and lets others go first.

const sliceMs = 8

/** Answers a function to be awaited between steps: it returns at once, or after others had their turn when it is time for that. */
export function turns(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since <= sliceMs) return
    await nextTask()
    since = performance.now()
  }
}

/** A message, not a timer: timers of a page in the background wait a second. */
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
