// Plays five look-up vendors and one other JSON API, in the shapes that they document. Each knows the numbers of one country.

import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Asked {
  path: string
  body: string
  isAbout(countryCode: string): boolean
}

const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
const ok = { code: 'OK', message: 'Success' }

/** What each answers: undefined is 404. */
const vendors: Record<string, (asked: Asked) => object | undefined> = {
  twilio: ({ path, isAbout }) => ({
    ...(path.includes('sim_swap') && {
      sim_swap: isAbout('1')
        ? {
            last_sim_swap: { last_sim_swap_date: ago(30), swapped_period: 'PT48H', swapped_in_period: true },
            error_code: null,
          }
        : { last_sim_swap: null, error_code: 60008 },
    }),
    ...(path.includes('call_forwarding') && { call_forwarding: { call_forwarding_status: false, error_code: null } }),
  }),
  telnyx: ({ isAbout }) => ({
    data: {
      carrier: { mobile_country_code: isAbout('1') ? '310' : '', mobile_network_code: isAbout('1') ? '410' : '' },
      portability: { ported_status: isAbout('1') ? 'Y' : '', ocn: '' },
    },
  }),
  vonage: ({ isAbout }) => ({
    insights: isAbout('44')
      ? {
          sim_swap: { latest_sim_swap_at: null, is_swapped: false, status: ok },
          roaming: { is_roaming: true, country_codes: ['ES'], latest_status_at: ago(1), status: ok },
          current_carrier: { network_code: '23415', status: ok },
          original_carrier: { network_code: '23410', status: ok },
        }
      : {
          sim_swap: { status: { code: 'NO_COVERAGE' } },
          roaming: { status: { code: 'NO_COVERAGE' } },
          current_carrier: { status: { code: 'NO_COVERAGE' } },
        },
  }),
  sinch: ({ isAbout }) => ({
    simSwap: { swapped: false, swapPeriod: 'SP7D' },
    line: isAbout('49')
      ? { mobileCountryCode: '262', mobileNetworkCode: '02', ported: false }
      : { error: { status: 404, title: 'not covered' } },
  }),
  telesign: ({ isAbout }) => {
    const status = { code: isAbout('33') ? 2800 : 2803 }
    return {
      sim_swap: { swap_date: ago(500).slice(0, 10), swap_time: '08:00:00', status },
      call_forward_detection: { call_forward_enabled: 'true', call_forward_type: 'unconditional', status },
      porting_status: { mcc_current: '208', mnc_current: '10', ported: 'true', status },
    }
  },
  hub: ({ isAbout }) => {
    if (isAbout('55')) return { data: { swap: 'N', mcc: '724', mnc: '05', ported: 'N' } }
    return isAbout('31') || isAbout('41') ? { data: { swap: 'N' } } : undefined
  },
}

/** Starts them on loopback; answers their URLs by name. */
export async function startVendors() {
  const servers = await Promise.all(
    Object.entries(vendors).map(async ([name, answer]) => {
      const server = createServer(async (request, response) => {
        const body = await bodyOf(request)
        const path = decodeURIComponent(request.url ?? '')
        const [, digits = ''] = /(\d{9,15})/.exec(body + path) ?? []
        const found = answer({ path, body, isAbout: (countryCode) => digits.startsWith(countryCode) })
        response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(found ?? {}))
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      return [name, { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }] as const
    }),
  )
  return {
    urls: Object.fromEntries(servers.map(([name, { url }]) => [name, url])),
    close: () => Promise.all(servers.map(([, { server }]) => new Promise((resolve) => server.close(resolve)))),
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of request.setEncoding('utf8')) text += piece
  return text
}
