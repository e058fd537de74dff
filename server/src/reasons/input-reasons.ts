// What can a decision find in the input of its rules? A reason each, with a case in which it applies and one in which it does not.
// What raises the device's scores is not listed here: device-reasons.ts names it.

import type { InputReason } from './reason.ts'

export const inputReasons: readonly InputReason[] = [
  {
    code: 'SIM_SWAPPED',
    source: 'telecom.simSwap',
    weight: 60,
    when: 'telecom.simSwap.swapped',
    text: ({ telecom }) => `The SIM of this number was replaced${within(telecom?.simSwap?.maxAgeHours)}`,
    cases: [
      { fires: { 'telecom.simSwap.swapped': true, 'telecom.simSwap.maxAgeHours': 72 } },
      { silent: { 'telecom.simSwap.swapped': false, 'telecom.simSwap.maxAgeHours': 72 } },
    ],
  },
  {
    code: 'CALLS_FORWARDED',
    source: 'telecom.callForwarding',
    weight: 40,
    when: 'telecom.callForwarding.active',
    text: 'Calls to this number are forwarded to another number',
    cases: [
      { fires: { 'telecom.callForwarding.active': true } },
      { silent: { 'telecom.callForwarding.active': false } },
    ],
  },
  {
    // Ordinary by itself: millions of people keep their number when they change operators.
    code: 'NUMBER_PORTED',
    source: 'telecom.portability',
    weight: 5,
    when: 'telecom.portability.ported',
    text: 'This number was ported to another operator',
    cases: [{ fires: { 'telecom.portability.ported': true } }, { silent: { 'telecom.portability.ported': false } }],
  },
  {
    // Travellers have this too, and users of a VPN, which counts by itself.
    code: 'COUNTRY_NOT_OF_NUMBER',
    source: 'telecom.country',
    weight: 10,
    when: 'ipDetails.country != telecom.country',
    text: ({ ipDetails, telecom }) =>
      `The IP address is in ${ipDetails?.country}, and the phone number belongs to ${telecom?.country}`,
    cases: [
      { fires: { 'ipDetails.country': 'GB', 'telecom.country': 'IN' } },
      { silent: { 'ipDetails.country': 'IN', 'telecom.country': 'IN' } },
      { silent: { 'ipDetails.country': 'GB' } },
    ],
  },
  {
    code: 'NEW_DEVICE',
    source: 'device.newDevice',
    weight: 10,
    when: 'newDevice',
    text: 'This is the first visit of the device',
    cases: [{ fires: { newDevice: true } }, { silent: { newDevice: false } }],
  },
]

function within(hours: number | undefined): string {
  if (hours === undefined) return ''
  return hours === 1 ? ' within the last hour' : ` within the last ${hours} hours`
}
