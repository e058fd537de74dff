// Which rules does the demo's shop add?

import { defaultRules } from '@ringfence/server/rules/defaults/default-rules.ts'
import type { RuleSet } from '@ringfence/server/rules/language/rule.ts'
import { readRuleFile } from '@ringfence/server/rules/rule-file.ts'

export const stolenCards = 'stolen-cards'
export const shops = 'shops'

const own = `
velocity:
  cardsPerDevice: { distinct: params.card, per: device, within: 24h, when: action == "PAYMENT" }
  payersOfPayee: { distinct: userId, per: params.payee, within: 7d, when: action == "PAYMENT" }
rules:
  - id: listed-card
    name: Card reported as stolen
    when: action == "PAYMENT" and inList("${stolenCards}", params.card)
    action: BLOCK
    score: 90
    message: This card was not accepted. Please use another one.
    cases:
      - fires: { action: PAYMENT, params.card: card-1, lists.${stolenCards}: card-1 }
      - silent: { action: PAYMENT, params.card: card-2, lists.${stolenCards}: card-1 }
  - id: many-cards
    name: Many cards on one device
    when: action == "PAYMENT" and velocity.cardsPerDevice > 3
    action: BLOCK
    score: 80
    message: This card was not accepted. Please contact support.
    cases:
      - fires: { action: PAYMENT, velocity.cardsPerDevice: 4 }
      - silent: { action: PAYMENT, velocity.cardsPerDevice: 3 }
  - id: many-payers
    name: Many people pay one private person
    when: action == "PAYMENT" and velocity.payersOfPayee > 4 and not inList("${shops}", params.payee)
    action: REVIEW
    score: 50
    cases:
      - fires: { action: PAYMENT, params.payee: person-1, velocity.payersOfPayee: 5 }
      - silent: { action: PAYMENT, params.payee: person-1, velocity.payersOfPayee: 4 }
  - id: large-payment
    name: Payment above 40,000 rupees
    when: action == "PAYMENT" and params.amount > 40000
    action: REVIEW
    score: 40
    cases:
      - fires: { action: PAYMENT, params.amount: 40001 }
      - silent: { action: PAYMENT, params.amount: 40000 }
`

/** In shadow at the end of the month. */
const tried = `${own}
  - id: early-gift-card
    name: Gift card from a new account
    when: action == "PAYMENT" and params.item == "gift-card" and account.ageDays < 2
    action: CHALLENGE
    score: 45
    message: Please confirm that it is you.
    cases:
      - fires: { action: PAYMENT, params.item: gift-card, account.ageDays: 1 }
      - silent: { action: PAYMENT, params.item: goods, account.ageDays: 1 }
`

/** @param which the rules that decide, or those that run in shadow beside them */
export function demoRules(which: 'live' | 'shadow'): RuleSet {
  const { ruleSet, mistakes } = readRuleFile((which === 'live' ? own : tried).trimStart())
  if (mistakes.length > 0) throw new Error(`the rules of the demo: ${JSON.stringify(mistakes)}`)
  return { ...ruleSet, rules: [...defaultRules.rules, ...ruleSet.rules] }
}
