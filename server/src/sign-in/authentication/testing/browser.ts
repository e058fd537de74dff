// How does a test follow redirects like a browser? With fetch, and with the cookies of each site.

export interface TestBrowser {
  /** Follows redirects and returns the first URL that begins with `until`, without opening it. */
  follow(url: string, until: string): Promise<URL>
  /** Opens one URL and follows no redirect. */
  open(url: string): Promise<Response>
}

const maxRedirects = 20

export function testBrowser(): TestBrowser {
  const cookies = new Map<string, Map<string, string>>()

  async function open(url: string): Promise<Response> {
    const { origin } = new URL(url)
    const jar = cookies.getOrInsert(origin, new Map())
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: cookie ? { cookie } : {} })
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=;]+)=([^;]*)/.exec(line) ?? []
      if (name !== undefined && value !== undefined) jar.set(name, value)
    }
    return response
  }

  return {
    open,
    async follow(url, until) {
      let at = url
      for (let steps = 0; steps < maxRedirects; steps++) {
        if (at.startsWith(until)) return new URL(at)
        const response = await open(at)
        const location = response.headers.get('location')
        if (!location) throw new Error(`${at} answered ${response.status} and leads nowhere: ${await response.text()}`)
        await response.body?.cancel()
        at = new URL(location, at).href
      }
      throw new Error(`more than ${maxRedirects} redirects from ${url}`)
    },
  }
}
