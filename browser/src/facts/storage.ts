// What may this page keep? A browser that is set to keep nothing says so here.

const kinds = ['localStorage', 'sessionStorage', 'indexedDB'] as const

export function storage() {
  return Object.fromEntries(kinds.map((kind) => [kind, isThere(kind)])) as Record<(typeof kinds)[number], boolean>
}

function isThere(kind: (typeof kinds)[number]): boolean {
  try {
    return Boolean(window[kind])
  } catch {
    return false // refused by the person, or by the sandbox of a frame
  }
}
