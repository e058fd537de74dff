// How does a caller stop waiting at its deadline, even when the work goes on?

/**
 * Settles like `work`, but rejects with `late()` at the deadline. Needed because libraries first finish what they are doing:
 * undici connects, cockatiel waits in its queue.
 */
export function before<T>(deadline: AbortSignal, work: Promise<T>, late: () => Error): Promise<T> {
  // Promise.race makes six more promises, which live as long as the work.
  return new Promise((resolve, reject) => {
    const stopWaiting = () => reject(late())
    if (deadline.aborted) stopWaiting()
    deadline.addEventListener('abort', stopWaiting)
    const end = () => deadline.removeEventListener('abort', stopWaiting)
    work.then(resolve, reject).then(end)
  })
}
