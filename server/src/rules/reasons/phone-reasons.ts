// What can a decision find in the phone at this moment? It is nothing that stays with the device, so its scores do not have it.

import type { InputReason } from './reason.ts'

export const phoneReasons: readonly InputReason[] = [
  {
    // Ordinary: people phone while they pay, and ask for help when they are stuck.
    code: 'ACTIVE_CALL',
    source: 'device.activeCall',
    weight: 5,
    when: 'activeCall',
    text: 'A call is in progress on the phone',
    cases: [{ fires: { activeCall: true } }, { silent: { activeCall: false } }],
  },
  {
    // Ordinary: chat heads, and filters for blue light.
    code: 'OVERLAY',
    source: 'device.overlay',
    weight: 5,
    when: 'overlay',
    text: 'A window of another app covers the app',
    cases: [{ fires: { overlay: true } }, { silent: { overlay: false } }],
  },
  {
    // Ordinary: a card for a journey, or a tablet.
    code: 'SIM_OF_ANOTHER_COUNTRY',
    source: 'device.sim',
    weight: 10,
    when: 'sim.countryOfNumber == false',
    text: ({ sim, telecom }) =>
      `No SIM card of the phone is of the country of the number${from(telecom?.country)}${to(sim?.country)}`,
    cases: [
      { fires: { 'sim.countryOfNumber': false, 'sim.country': 'GB', 'telecom.country': 'IN' } },
      { silent: { 'sim.countryOfNumber': true, 'sim.country': 'IN', 'telecom.country': 'IN' } },
      { name: 'not all cards are known', silent: { 'sim.country': 'GB', 'telecom.country': 'IN' } },
    ],
  },
  {
    // Ordinary: a number for work in another phone, and operators that use the network of another one. Of another country, it says no more.
    code: 'SIM_OF_ANOTHER_OPERATOR',
    source: 'device.sim',
    weight: 5,
    when: 'sim.operatorOfNumber == false and not sim.countryOfNumber == false',
    text: 'No SIM card of the phone is of the operator that serves the number',
    cases: [
      { fires: { 'sim.operatorOfNumber': false, 'sim.countryOfNumber': true } },
      { silent: { 'sim.operatorOfNumber': true, 'sim.countryOfNumber': true } },
      { silent: { 'sim.operatorOfNumber': false, 'sim.countryOfNumber': false } },
    ],
  },
]

const from = (country: string | undefined) => (country === undefined ? '' : `: ${country}`)
const to = (country: string | undefined) => (country === undefined ? '' : `, the first is of ${country}`)
