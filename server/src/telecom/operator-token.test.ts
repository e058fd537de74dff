import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operatorToken } from './operator-token.ts'

test('converts names to upper-case tokens', () => {
  const tokens = {
    'Free Mobile': 'FREE_MOBILE',
    airtel: 'AIRTEL',
    'AT&T': 'AT_T',
    'LG U+': 'LG_UPLUS',
    'T-Mobile (Slovak Telekom)': 'T_MOBILE_SLOVAK_TELEKOM',
    'Telefónica Móviles': 'TELEFONICA_MOVILES',
    BITĖ: 'BITE',
    'life:)': 'LIFE',
    '  3 ': '3',
    МТС: 'МТС',
    '&': '',
  }
  for (const [name, token] of Object.entries(tokens)) assert.equal(operatorToken(name), token)
})
