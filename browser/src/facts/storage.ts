// Which storage may this page use?

const kinds = ['localStorage', 'sessionStorage', 'indexedDB'] as const

export function storage() {
  return Object.fromEntries(kinds.map((kind) => [kind, isAvailable(kind)])) as Record<(typeof kinds)[number], boolean>
}

function isAvailable(kind: (typeof kinds)[number]): boolean {
  try {
    return Boolean(window[kind])
  } catch {
    return false // blocked by a setting, or in a sandboxed frame
  }
}
