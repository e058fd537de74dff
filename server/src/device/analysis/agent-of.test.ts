import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WebFacts } from '@ringfence/contract'
import fc from 'fast-check'
import { frozenValues } from '../../core/dated-data/frozen-values.ts'
import { osMismatch } from '../signals/os-mismatch.ts'
import { tampering } from '../signals/web/tampering.ts'
import { recorded } from '../testdata/recordings.ts'
import { deviceInfoDetail } from './device-info.ts'
import { agentOf } from './user-agent.ts'

const webkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const onIphone = (system: string, rest: string) =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS ${system} like Mac OS X) ${webkit} ${rest}`
const onMac = (rest: string) => `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${rest}`
const onAndroid = (system: string, rest: string) =>
  `Mozilla/5.0 (Linux; ${system}) AppleWebKit/537.36 (KHTML, like Gecko) ${rest} Mobile Safari/537.36`
const safari26 = `${webkit} Version/26.0 Safari/605.1.15`
const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

type Case = readonly [userAgent: string, facts: WebFacts, expected: string]

/** Browser and version | system and version | device; `-` for what is not known. */
const cases: Readonly<Record<string, Case>> = {
  'Safari 26 on an iPhone, which has frozen the system': [
    onIphone('18_6', 'Version/26.0 Mobile/15E148 Safari/604.1'),
    {},
    'Safari 26.0 | iOS 26.0 | iPhone',
  ],
  'Safari 18.6 on an iPhone, which has not': [
    onIphone('18_6', 'Version/18.6 Mobile/15E148 Safari/604.1'),
    {},
    'Safari 18.6 | iOS 18.6 | iPhone',
  ],
  'Chrome on an iPhone, which states the true system': [
    onIphone('18_7', 'CriOS/149.0.7827.137 Mobile/15E148 Safari/604.1'),
    {},
    'Chrome 149.0.7827.137 | iOS 18.7 | iPhone',
  ],
  'Firefox on an iPhone, which may be frozen': [
    onIphone('18_7', 'FxiOS/145.0 Mobile/15E148 Safari/604.1'),
    {},
    'Firefox 145.0 | iOS - | iPhone',
  ],
  'Edge on an iPhone': [
    onIphone('18_7', 'Version/26.0 EdgiOS/142.0.3595.66 Mobile/15E148 Safari/604.1'),
    {},
    'Microsoft Edge 142.0.3595.66 | iOS 26.0 | iPhone',
  ],
  'a web view of iOS': [onIphone('18_7', 'Mobile/15E148'), {}, 'Safari - | iOS - | iPhone'],
  'Facebook on an iPhone, which states the system itself': [
    onIphone('18_7', 'Mobile/23B85 [FBAN/FBIOS;FBAV/538.0.0.53.70;FBDV/iPhone17,1;FBSN/iOS;FBSV/26.1;FBID/phone]'),
    {},
    'Facebook 538.0.0.53.70 | iOS 26.1 | iPhone',
  ],
  'Instagram on an iPhone': [
    onIphone('18_7', 'Mobile/23B85 Instagram 406.0.0.28.84 (iPhone17,1; iOS 26_1; en_US; scale=3.00; 1206x2622)'),
    {},
    'Instagram 406.0.0.28.84 | iOS 26.1 | iPhone',
  ],
  'an iPad in desktop mode': [
    onMac(safari26),
    { platform: 'MacIntel', maxTouchPoints: 5, screen: { width: 820, height: 1180 } },
    'Safari 26.0 | iPadOS 26.0 | iPad',
  ],
  'an iPhone in desktop mode, by its screen': [
    onMac(safari26),
    { platform: 'MacIntel', maxTouchPoints: 5, screen: { width: 393, height: 852 } },
    'Safari 26.0 | iOS 26.0 | iPhone',
  ],
  'Chrome on an iPad in desktop mode': [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_13_5) ${webkit} CriOS/142 Version/11.1.1 Safari/605.1.15`,
    {},
    'Chrome 142 | iPadOS - | iPad',
  ],
  'an iPad in mobile mode': [
    `Mozilla/5.0 (iPad; CPU OS 18_7 like Mac OS X) ${webkit} Version/26.1 Mobile/15E148 Safari/604.1`,
    {},
    'Safari 26.1 | iPadOS 26.1 | iPad',
  ],
  'Safari on a Mac': [onMac(safari26), { maxTouchPoints: 0 }, 'Safari 26.0 | macOS - | desktop'],
  'Chrome on a Mac': [onMac(chrome), {}, 'Chrome 142.0.0.0 | macOS - | desktop'],
  'Chrome on a Mac with client hints': [
    onMac(chrome),
    { clientHints: { platform: 'macOS', platformVersion: '26.1.0' }, maxTouchPoints: 1 },
    'Chrome 142.0.0.0 | macOS 26.1.0 | desktop',
  ],
  'Firefox on a Mac': [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:109.0) Gecko/20100101 Firefox/115.0',
    {},
    'Firefox 115.0 | macOS - | desktop',
  ],
  'Firefox on a Mac, before it froze the system': [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.14; rv:78.0) Gecko/20100101 Firefox/78.0',
    {},
    'Firefox 78.0 | macOS 10.14 | desktop',
  ],
  'Chrome on Android with a reduced user agent': [
    onAndroid('Android 10; K', 'Chrome/142.0.0.0'),
    {},
    'Chrome 142.0.0.0 | Android - | mobile',
  ],
  'Chrome on Android with client hints': [
    onAndroid('Android 10; K', 'Chrome/142.0.0.0'),
    { clientHints: { platform: 'Android', platformVersion: '16.0.0', model: 'Pixel 9' } },
    'Chrome 142.0.0.0 | Android 16.0.0 | Pixel 9',
  ],
  'an Android 10 that names its model': [
    onAndroid('Android 10; SM-A205F', 'Chrome/91.0.4472.120'),
    {},
    'Chrome 91.0.4472.120 | Android 10 | mobile',
  ],
  'Chrome on Windows': [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome}`,
    {},
    'Chrome 142.0.0.0 | Windows - | desktop',
  ],
  'Chrome on Windows 11 with client hints': [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome}`,
    { clientHints: { platform: 'Windows', platformVersion: '19.0.0' } },
    'Chrome 142.0.0.0 | Windows 11 | desktop',
  ],
  'Windows 7': [
    'Mozilla/5.0 (Windows NT 6.1; Win64; x64) Gecko/20100101 Firefox/115.0',
    {},
    'Firefox 115.0 | Windows 7 | desktop',
  ],
  'UC Browser': [
    onAndroid('U; Android 13; en-US; SM-A536E Build/TP1A', 'Version/4.0 Chrome/100.0.4896.58 UCBrowser/13.7.8.1323'),
    {},
    'UC Browser 13.7.8.1323 | Android 13 | mobile',
  ],
  'Opera Mini': [
    'Opera/9.80 (Android; Opera Mini/36.2.2254/119.132; U; id) Presto/2.12.423 Version/12.16',
    {},
    'Opera Mini 36.2.2254 | Android - | mobile',
  ],
  'Huawei Browser': [
    onAndroid('Android 12; HarmonyOS; NOH-AN00', 'Chrome/99.0.4844.88 HuaweiBrowser/14.0.5.302'),
    {},
    'Huawei Browser 14.0.5.302 | Android 12 | mobile',
  ],
  'Opera, whose brands do not name it': [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} OPR/84.0.4316.19`,
    { clientHints: { brands: [{ brand: 'Google Chrome', version: '98' }] } },
    'Opera 84.0.4316.19 | Windows - | desktop',
  ],
  'an iPhone whose text has a word like a token': [
    onIphone('17_5', 'Version/17.5 Mobile/15E148 Safari/604.1 Online/3.1'),
    {},
    'Safari 17.5 | iOS 17.5 | iPhone',
  ],
}

for (const [name, [userAgent, facts, expected]] of Object.entries(cases)) {
  test(`reads ${name}: ${expected}`, () => {
    const { browser, os, device } = agentOf(userAgent, facts)
    const part = (each: { name?: string | undefined; version?: string | undefined }) =>
      `${each.name ?? '-'} ${each.version ?? '-'}`
    assert.equal(`${part(browser)} | ${part(os)} | ${device ?? '-'}`, expected)
  })
}

test('honest browsers with frozen values are no mismatch and not tampered with', () => {
  const apple = { tcp: { options: [2, 1, 3, 1, 1, 8, 4], initialTtl: 64 } }
  const honest = recorded('webkit-ordinary')
  for (const [userAgent, facts] of [
    [onIphone('18_6', 'Version/26.0 Mobile/15E148 Safari/604.1'), { platform: 'iPhone', maxTouchPoints: 5 }],
    [onMac(safari26), { platform: 'MacIntel', maxTouchPoints: 5 }],
    [onMac(safari26), { platform: 'MacIntel', maxTouchPoints: 0 }],
  ] as const) {
    const evidence = {
      ...honest,
      headers: { 'user-agent': userAgent },
      facts: { userAgent, language: 'en-GB', ...facts },
      connection: apple,
    }
    assert.notEqual(osMismatch(evidence)?.verdict, true)
    const found = tampering.judge(evidence)
    assert.notEqual(found?.verdict.result, true, found?.reasons.join() ?? '')
  }
})

test('reads any text without failing, and never states a version that is frozen everywhere', () => {
  const frozen = frozenValues.current().systems.filter(({ onlyBefore, notIn }) => !onlyBefore && !notIn)
  const token = fc.constantFrom('Macintosh; Intel Mac OS X 10_15_7', 'Windows NT 10.0', 'Version/26', 'FBAV/', 'iOS ')
  const text = fc
    .array(fc.oneof(token, fc.string({ unit: 'binary' })), { minLength: 1 })
    .map((parts) => parts.join(' '))
  fc.assert(
    fc.property(text, fc.nat(10), (userAgent, maxTouchPoints) => {
      if (userAgent === '') return
      const { os } = agentOf(userAgent, { maxTouchPoints })
      const row = frozen.find(({ system }) => system === os.name)
      assert.ok(!row?.versions.includes(os.version ?? ''), `${os.name} ${os.version}`)
    }),
  )
})

test('an iPad in desktop mode is no desktop in deviceInfo', () => {
  const facts = { userAgent: onMac(safari26), platform: 'MacIntel', maxTouchPoints: 5 }
  const { browserInfo } = deviceInfoDetail({ platform: 'WEB', facts, headers: {} })
  assert.deepEqual([browserInfo?.os, browserInfo?.osVersion, browserInfo?.device], ['iPadOS', '26.0', 'iPad'])
})
