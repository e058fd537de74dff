// How does a caller stop waiting at its deadline, even when the work goes on?

/**
 * Settles like `work`, but rejects with `late()` at the deadline. Needed because libraries first finish what they are doing:
 * undici connects, cockatiel waits in its queue.
 */
export async function before<T>(deadline: AbortSignal, work: Promise<T>, late: () => Error): Promise<T> {
  const { promise: passed, reject } = Promise.withResolvers<never>()
  const stopWaiting = () => reject(late())
  if (deadline.aborted) stopWaiting()
  deadline.addEventListener('abort', stopWaiting, { once: true })
  try {
    return await Promise.race([work, passed])
  } finally {
    deadline.removeEventListener('abort', stopWaiting)
  }
}
