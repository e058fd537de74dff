// May somebody be sent to this URL with a code?

/** These would run content that the caller chose. */
const unsafeProtocols = ['javascript:', 'data:', 'blob:']

/** Whether it is a URL to which a code can be added, and which runs no content. */
export function isSafeTarget(text: string): boolean {
  const url = URL.parse(text)
  return (
    url !== null &&
    !unsafeProtocols.includes(url.protocol) &&
    url.username === '' &&
    url.password === '' &&
    url.hash === ''
  )
}
