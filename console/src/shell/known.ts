// Was somebody signed in here? It says only what is painted before the service has answered.

const key = 'ringfence-known'

export function wasSignedIn(): boolean {
  try {
    return localStorage.getItem(key) !== null
  } catch {
    return false // A browser may forbid storage.
  }
}

export function noteSignedIn(isSignedIn: boolean): void {
  try {
    if (isSignedIn) localStorage.setItem(key, '1')
    else localStorage.removeItem(key)
  } catch {}
}
