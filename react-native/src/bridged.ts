// What may cross to native code? React Native accepts JSON only, so what JSON cannot represent is dropped, as the SDKs do.

export function bridged(value: object): { [name: string]: unknown } {
  const entries = Object.entries(value).flatMap(([name, part]) => {
    try {
      const text = JSON.stringify(part)
      return text === undefined ? [] : [[name, JSON.parse(text) as unknown]]
    } catch {
      return [] // a cycle
    }
  })
  return Object.fromEntries(entries)
}
