// How does a test walk through redirects as a browser does? By fetch, with the cookies of each site.

export interface TestBrowser {
  /** Opens an address and follows redirects; answers with the first address that begins with `until`, without opening it. */
  follow(address: string, until: string): Promise<URL>
  /** Opens one address, and follows nothing. */
  open(address: string): Promise<Response>
}

const mostRedirects = 20

export function testBrowser(): TestBrowser {
  const cookies = new Map<string, Map<string, string>>()

  async function open(address: string): Promise<Response> {
    const { origin } = new URL(address)
    const jar = cookies.getOrInsert(origin, new Map())
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(address, { redirect: 'manual', headers: cookie ? { cookie } : {} })
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=;]+)=([^;]*)/.exec(line) ?? []
      if (name !== undefined && value !== undefined) jar.set(name, value)
    }
    return response
  }

  return {
    open,
    async follow(address, until) {
      let at = address
      for (let steps = 0; steps < mostRedirects; steps++) {
        if (at.startsWith(until)) return new URL(at)
        const response = await open(at)
        const location = response.headers.get('location')
        if (!location) throw new Error(`${at} answered ${response.status} and leads nowhere: ${await response.text()}`)
        await response.body?.cancel()
        at = new URL(location, at).href
      }
      throw new Error(`more than ${mostRedirects} redirects from ${address}`)
    },
  }
}
