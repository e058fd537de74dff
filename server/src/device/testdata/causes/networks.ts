// From which networks did devices call? Lines of published lists.

import { type Cause, file } from './cause.ts'

export const networkCauses = {
  torExit: {
    happened: 'A person uses Tor: the IP address is an exit',
    platform: 'WEB',
    recording: 'chromium-ordinary',
    listed: { kind: 'tor', line: '217.115.10.131', address: '217.115.10.131' },
    shows: ['proxy', 'ip', 'ipDetails'],
    source: file('firehol/blocklist-ipsets', '005c427c9aab097a96989203fbf1f61d64d632a9', 'tor_exits.ipset'),
    seen: 'reported',
  },
  openProxy: {
    happened: 'A script or person uses an open proxy',
    platform: 'WEB',
    recording: 'chromium-ordinary',
    listed: { kind: 'openProxy', line: '142.93.202.130:3128', address: '142.93.202.130' },
    shows: ['proxy', 'ipDetails'],
    source: file('TheSpeedX/PROXY-List', '00036382d8c6fdd67c27b7818ff9f7a48cff24ed', 'http.txt'),
    seen: 'reported',
  },
  mullvad: {
    happened: 'A person uses Mullvad: the IP address is in a range of VPN servers',
    platform: 'WEB',
    recording: 'chromium-ordinary',
    listed: { kind: 'vpnRange', line: '185.254.75.4/31', address: '185.254.75.5' },
    shows: ['vpn', 'secure_info.vpn.result', 'secure_info.vpn.publicVPN'],
    source: file('X4BNet/lists_vpn', '0008ba2304cee462f71d815b3947303e6da24a23', 'output/vpn/ipv4.txt'),
    seen: 'reported',
  },
} as const satisfies Record<string, Cause>
