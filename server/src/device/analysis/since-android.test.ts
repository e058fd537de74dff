import assert from 'node:assert/strict'
import { test } from 'node:test'
import { androidPhone } from '../testdata/phones.ts'
import { mayReport } from './since-android.ts'

const phone = (systemVersion?: string) =>
  androidPhone({ deviceModel: systemVersion === undefined ? {} : { systemVersion } })

test('only a phone that is known to be older cannot report what a version brought', () => {
  for (const version of ['8.1.0', '9']) assert.equal(mayReport(phone(version), 10), false, version)
  for (const version of ['10', '16', 'Baklava', '']) assert.equal(mayReport(phone(version), 10), true, version)
  assert.equal(mayReport(phone(), 10), true, 'of no version')
})
