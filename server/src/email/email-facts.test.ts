import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { disposableDomains } from '../core/dated-data/disposable-domains.ts'
import { readEmailAddress } from './email-address.ts'
import { factsOf } from './email-facts.ts'
import { exampleAddresses } from './example-addresses.ts'
import { meantDomain } from './typing-error.ts'

const of = (text: string) => factsOf(readEmailAddress(text).address!, 'providers')

test('a disposable domain is disposable in any case, with a root dot, and below it', () => {
  for (const address of [
    'a@mailinator.com',
    'A@MAILINATOR.com.',
    'a@b.c.mailinator.com',
    'a@yopmail.com',
    'a@１０minutemail.com',
  ]) {
    assert.equal(of(address).disposable, true, address)
  }
  for (const address of ['a@gmail.com', 'a@mailinator.com.example', 'a@mailinators-fan.com', 'a@shop.example']) {
    assert.equal(of(address).disposable, false, address)
  }
})

test('services that forward to a real mailbox are not disposable', () => {
  for (const domain of ['duck.com', 'mozmail.com', 'simplelogin.com', 'privaterelay.appleid.com', 'passmail.net']) {
    assert.equal(of(`a@${domain}`).disposable, false, domain)
  }
})

test('says which large domain was meant', () => {
  for (const [written, meant] of [
    ['gmial.com', 'gmail.com'],
    ['gmai.com', 'gmail.com'],
    ['gmaill.com', 'gmail.com'],
    ['gnail.com', 'gmail.com'],
    ['mgail.com', 'gmail.com'],
    ['gmail.con', 'gmail.com'],
    ['gmail.co', 'gmail.com'],
    ['gamil.con', 'gmail.com'],
    ['hotmial.com', 'hotmail.com'],
    ['hotmil.fr', 'hotmail.fr'],
    ['yahho.com', 'yahoo.com'],
    ['yaho.co.uk', 'yahoo.co.uk'],
    ['outlok.com', 'outlook.com'],
    ['iclould.com', 'icloud.com'],
  ] as const) {
    assert.equal(meantDomain(written), meant, written)
  }
  const homograph = readEmailAddress('a@gm\u0430il.com').domain!
  assert.equal(meantDomain(homograph), 'gmail.com', 'a Cyrillic letter')
  assert.equal(meantDomain(readEmailAddress('a@gmaïl.com').domain!), 'gmail.com')
})

test('suggests nothing for domains that exist beside the large ones', () => {
  for (const domain of [
    ...['gmail.com', 'mail.com', 'ymail.com', 'email.com', 'hotmail.de', 'yahoo.de', 'gmx.net', 'me.com', 'cloud.com'],
    ...[
      'shop.example',
      'gmail.shop.example',
      'aol.com',
      'live.co',
      'msn.co',
      'ya.ru',
      'yandex.net',
      'gm.com',
      'münchen.de',
    ],
    `${'a'.repeat(60)}.com`,
  ]) {
    const read = readEmailAddress(`a@${domain}`).domain!
    assert.equal(meantDomain(read), undefined, domain)
  }
})

test('a role is that of an organization, and not a name at a provider for everybody', () => {
  for (const address of ['info@shop.example', 'Support+eu@shop.example', 'no-reply@shop.example'])
    assert.equal(of(address).role, true, address)
  for (const address of ['info@gmail.com', 'infos@shop.example', 'ada.info@shop.example', 'info@mailinator.com'])
    assert.equal(of(address).role, false, address)
})

test('the list in memory takes less than 10 MB, and a look-up next to nothing', () => {
  const { domains, asOf } = disposableDomains.current()
  assert.ok(domains.length > 5_000)
  assert.match(asOf, /^\d{4}-\d\d-\d\d$/)
  assert.equal(domains.filter((domain) => readEmailAddress(`a@${domain}`).domain !== domain).length, 0)
  const characters = domains.reduce((sum, domain) => sum + domain.length, 0)
  assert.ok(characters + domains.length * 80 < 10_000_000)
})

test('the addresses to try show what the guide says', () => {
  const guide = readFileSync(new URL('../../../docs/reference/email-addresses.md', import.meta.url), 'utf8')
  for (const { address, shows } of exampleAddresses) {
    assert.ok(guide.includes(`\`${address}\``), address)
    assert.deepEqual({ ...of(address), ...shows }, of(address), address)
  }
})
