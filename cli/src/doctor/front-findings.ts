// Does the service run here, and do people and backends reach it at its public URL, over TLS?

import { broken, type Finding, ok, unknown, warning } from '@ringfence/server/admin/doctor/finding.ts'
import type { Config } from '@ringfence/server/core/config/config.ts'

const longestMs = 3_000

/** @param local where this machine calls the service */
export async function frontFindings({ settings, channels }: Config, local: string): Promise<Finding[]> {
  const { baseUrl, authUrl, trustedProxies } = settings
  const ready = await statusOf(`${local}/ready`)
  const running = await runningFinding(local, ready)
  if (baseUrl === undefined) {
    const signIn = Object.keys(channels).length > 0
    const text = 'BASE_URL is not set'
    const todo = 'set it to the public https URL: magic links, redirects and the OpenAPI document contain it'
    return [
      running,
      signIn ? warning('public URL', text, todo) : unknown('public URL', `${text}, and no sign-in needs it`),
    ]
  }
  const urls = [...new Set([baseUrl, ...(authUrl === undefined ? [] : [authUrl])])]
  const fronts = await Promise.all(urls.map((url) => publicFinding(url, typeof ready === 'number')))
  const proxies =
    trustedProxies === undefined || trustedProxies === ''
      ? warning(
          'proxies',
          'TRUSTED_PROXIES is not set, so every request seems to come from the proxy',
          'name the addresses of your proxies: docs/guides/ip-data.md',
        )
      : ok('proxies', `trusted: ${trustedProxies}`)
  return [running, ...fronts, proxies]
}

async function runningFinding(local: string, ready: number | string): Promise<Finding> {
  if (ready === 200) return ok('service', `runs at ${local} and is ready`)
  if (typeof ready === 'string') return unknown('service', `does not run at ${local} now (${ready})`)
  return broken(
    'service',
    `runs at ${local}, and /ready answers ${ready}`,
    'read its log: the store may be unreachable, or it is stopping',
  )
}

async function publicFinding(url: string, isRunning: boolean): Promise<Finding> {
  const subject = 'public URL'
  if (!url.startsWith('https://'))
    return warning(subject, `${url} has no TLS`, 'put a proxy with TLS in front, and begin the URL with https://')
  // One of the paths that the guide exposes to the internet. An error of Ringfence is an answer too.
  const status = await statusOf(`${url}/.well-known/openid-configuration`)
  if (typeof status === 'number' && status < 500) return ok(subject, `${url} answers over TLS`)
  if (!isRunning) return unknown(subject, `${url} was not judged, since the service does not run here`)
  const text = typeof status === 'number' ? `${url} answers ${status}` : `${url} cannot be reached (${status})`
  return broken(subject, text, 'look at DNS, at the certificate, and at the proxy in front')
}

/** The status, or why there is none. */
async function statusOf(url: string): Promise<number | string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(longestMs), redirect: 'manual' })
    await response.body?.cancel()
    return response.status
  } catch (error) {
    const { cause, name, message } = error as Error & { cause?: { code?: string; message?: string } }
    return cause?.code ?? cause?.message ?? (name === 'TimeoutError' ? 'no answer in 3 s' : message)
  }
}
