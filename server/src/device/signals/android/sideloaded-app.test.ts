import assert from 'node:assert/strict'
import { test } from 'node:test'
import { androidPhone } from '../../testdata/phones.ts'
import { sideloadedApp } from './sideloaded-app.ts'

const judged = (installer: string | undefined) => {
  const { installer: _, ...others } = androidPhone().facts.appIntegrity!
  const appIntegrity = { ...others, ...(installer !== undefined && { installer }) }
  return sideloadedApp.judge(androidPhone({ appIntegrity }))?.verdict.result
}

test('an app that a computer or a package installer put on the phone was installed by hand', () => {
  const byHand = ['', 'com.android.shell', 'com.google.android.packageinstaller', 'com.miui.packageinstaller']
  for (const installer of byHand) assert.equal(judged(installer), true, installer)
})

test('an app of a store was not, and an unknown installer may be a store', () => {
  for (const store of ['com.android.vending', 'com.huawei.appmarket']) assert.equal(judged(store), false, store)
  assert.equal(judged('com.example.market'), undefined)
  assert.equal(judged(undefined), undefined)
})
