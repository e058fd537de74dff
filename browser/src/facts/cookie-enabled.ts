// Can this page set a cookie?

/** Sets one, because `navigator.cookieEnabled` can be true in a frame where cookies are blocked. */
export function cookieEnabled(): boolean {
  if (!navigator.cookieEnabled) return false
  try {
    write('ringfence-probe=1; SameSite=Lax')
    const isStored = document.cookie.includes('ringfence-probe=1')
    write('ringfence-probe=; SameSite=Lax; Max-Age=0')
    return isStored
  } catch {
    return false // a sandboxed frame
  }
}

function write(cookie: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = cookie
}
