import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DeviceInfo, DeviceInfoDetail } from '@ringfence/contract'
import Value from 'typebox/value'
import { ordinaryFacts } from '../../testing/sdk-client.ts'
import { iphone } from '../testdata/phones.ts'
import { deviceInfoDetail, withoutDetail } from './device-info.ts'

test('fills every field of deviceInfo (2.4) from the facts of a browser; device_info (2.5) has three more in browserInfo', () => {
  const detail = deviceInfoDetail({ platform: 'WEB', facts: ordinaryFacts, headers: {} }, 'device-of-the-test')
  assert.deepEqual(detail, {
    userAgent: ordinaryFacts.userAgent,
    platform: 'Win32',
    vendor: 'Google Inc.',
    browser: 'Chrome',
    connection: '4g',
    language: 'en-GB',
    cookieEnabled: true,
    screenWidth: 1920,
    screenHeight: 1080,
    screenColorDepth: 24,
    devicePixelRatio: 1.25,
    timezoneOffset: 0,
    cpuArchitecture: 'x86',
    fontFamily: 'Times New Roman',
    deviceId: 'device-of-the-test',
    browserInfo: {
      browserName: 'Chrome',
      os: 'Windows',
      osVersion: '11',
      device: 'desktop',
      browserMajorVersion: '156',
      browserFullVersion: '156.0.8078.73',
      userAgent: ordinaryFacts.userAgent,
    },
  })
  assert.deepEqual(Object.keys(withoutDetail(detail).browserInfo ?? {}), ['browserName', 'os', 'osVersion', 'device'])
  assert.deepEqual(Value.Errors(DeviceInfoDetail, detail), [])
  assert.deepEqual(Value.Errors(DeviceInfo, withoutDetail(detail)), [])
})

const browsers: Record<string, [string, object]> = {
  'Firefox on Linux': [
    'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0',
    { browserName: 'Firefox', os: 'Linux', device: 'desktop', browserMajorVersion: '153', browserFullVersion: '153.0' },
  ],
  'Safari on an iPhone': [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    {
      browserName: 'Safari',
      os: 'iOS',
      osVersion: '18.5',
      device: 'iPhone',
      browserMajorVersion: '18',
      browserFullVersion: '18.5',
    },
  ],
}

for (const [name, [userAgent, expected]] of Object.entries(browsers)) {
  test(`recognises ${name} by its user agent, in facts or in the header`, () => {
    const { browserInfo, userAgent: shown } = deviceInfoDetail({
      platform: 'WEB',
      facts: {},
      headers: { 'user-agent': userAgent },
    })
    assert.deepEqual(browserInfo, { ...expected, userAgent })
    assert.equal(shown, userAgent)
  })
}

test('shows the system and model of an app, and no browser', () => {
  const headers = { 'user-agent': 'Shop/1043 CFNetwork/3826.500.131 Darwin/24.5.0' }
  const { facts } = iphone()
  const detail = deviceInfoDetail({ platform: 'IOS', facts, headers })
  assert.deepEqual([detail.browser, detail.platform], [undefined, 'iOS'])
  const { 'user-agent': userAgent } = headers
  assert.deepEqual(detail.browserInfo, { os: 'iOS', osVersion: '18.5', device: 'iPhone15,2', userAgent })
  assert.deepEqual(deviceInfoDetail({ platform: 'ANDROID', facts: {}, headers: {} }), {})
})

test('is empty without facts and headers', () => {
  assert.deepEqual(deviceInfoDetail({ platform: 'WEB', facts: {}, headers: {} }), {})
  const empty = {
    platform: 'WEB',
    facts: { userAgent: '', language: '' },
    headers: { 'user-agent': '', 'accept-language': '' },
  } as const
  assert.deepEqual(deviceInfoDetail(empty), {}, 'an empty text counts as unknown')
  const odd = deviceInfoDetail({ platform: 'WEB', facts: { userAgent: '\u0000\uffff(((' }, headers: {} })
  assert.deepEqual(Value.Errors(DeviceInfoDetail, odd), [])
})
