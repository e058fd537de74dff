// Can this page keep a cookie?

/** Tried out: a browser that keeps none in this frame may still say that it does. */
export function cookieEnabled(): boolean {
  if (!navigator.cookieEnabled) return false
  try {
    write('ringfence-probe=1; SameSite=Lax')
    const isKept = document.cookie.includes('ringfence-probe=1')
    write('ringfence-probe=; SameSite=Lax; Max-Age=0')
    return isKept
  } catch {
    return false // a sandboxed frame
  }
}

function write(cookie: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = cookie
}
