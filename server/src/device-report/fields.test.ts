import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signals } from '../device/signals/index.ts'
import { judgeAll } from '../device/signals/judge.ts'
import { iphone } from '../device/testdata/phones.ts'
import { signalFieldsOf } from './fields.ts'

const onNoList = {
  ...{ vpn: false, tor: false, proxy: false, relay: false, gateway: false, datacenter: false },
  ...{ listedBy: [], anonymityScore: 0, abuse: 0 },
}

test('a flag of several signals is known when one of them says so, or all of them answered', () => {
  const proxyOf = (...evidence: Parameters<typeof iphone>) =>
    signalFieldsOf(signals)({ platform: 'IOS', judgement: judgeAll(iphone(...evidence)) }).proxy
  const set = { ...iphone().facts.proxy!, http: true }
  assert.equal(proxyOf({ proxy: set }), true)
  assert.equal(proxyOf({}, { anonymity: { ...onNoList, tor: true, listedBy: ['tor'] } }), true)
  assert.equal(proxyOf({}, { anonymity: onNoList }), false)
  assert.equal(proxyOf(), undefined, 'no list says whether its IP address is a proxy')
})
