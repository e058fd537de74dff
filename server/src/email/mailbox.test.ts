import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readEmailAddress } from './email-address.ts'
import { type Folding, foldings, mailboxOf } from './mailbox.ts'

const mailbox = (text: string, folding: Folding = 'providers') => mailboxOf(readEmailAddress(text).address!, folding)

test('addresses that a provider documents as one are one mailbox', () => {
  for (const [folded, ...addresses] of [
    [
      'adalove@gmail.com',
      'Ada.Love+shop@googlemail.com',
      'a.d.a.l.o.v.e@gmail.com',
      'adalove.+x@GMAIL.com',
      'adalove@gmail.com.',
    ],
    ['ada.love@outlook.com', 'ada.love+1@outlook.com', 'ADA.love+2+3@Outlook.com'],
    ['ada@yahoo.com', 'ada-shop@yahoo.com', 'ada-news-2@yahoo.com'],
    ['ada@icloud.com', 'ada+1@me.com', 'ada@mac.com'],
    ['adalove@proton.me', 'ada-love@protonmail.com', 'ada_love+x@pm.me', 'a.d.a.love@protonmail.ch'],
    ['ada-love@yandex.ru', 'ada.love@ya.ru', 'ada-love+1@yandex.com'],
    ['ada@fastmail.com', 'shop@ada.fastmail.com', 'ada+shop@fastmail.com'],
  ] as const) {
    for (const address of addresses) assert.equal(mailbox(address), folded, address)
  }
})

test('what no provider documents is not folded, because somebody else may have the address', () => {
  for (const address of [
    'ada+shop@shop.example',
    'a.da@shop.example',
    'a.da@outlook.com',
    'ada-love@gmail.com',
    'ada+1@yahoo.com',
    'shop@ada.shop.example',
    '+ada@gmail.com',
    '-ada@yahoo.com',
    'ada+1@gmail.com.example',
  ]) {
    assert.equal(mailbox(address), address, address)
  }
})

test('a setting folds tags at every domain, or nothing', () => {
  assert.equal(mailbox('ada+1@shop.example', 'tags'), 'ada@shop.example')
  assert.equal(mailbox('a.da@shop.example', 'tags'), 'a.da@shop.example')
  assert.equal(mailbox('A.da+1@gmail.com', 'none'), 'a.da+1@gmail.com')
})

test('a mailbox is an address, and its own mailbox', () => {
  const local = fc.array(fc.string({ unit: fc.constantFrom(...'abAB01+-_='), minLength: 1, maxLength: 6 }), {
    minLength: 1,
    maxLength: 4,
  })
  const domain = fc.constantFrom(
    'gmail.com',
    'yahoo.com',
    'ya.ru',
    'pm.me',
    'me.com',
    'ada.fastmail.com',
    'shop.example',
  )
  fc.assert(
    fc.property(local, domain, fc.constantFrom(...foldings), (parts, at, folding) => {
      const { address } = readEmailAddress(`${parts.join('.')}@${at}`)
      const folded = mailboxOf(address!, folding)
      assert.equal(readEmailAddress(folded).address, folded)
      assert.equal(mailboxOf(folded, folding), folded)
    }),
    { numRuns: 2000 },
  )
})
