// Which default rules find a customer who is led through a payment? They ask or hold, and refuse nobody: each sign alone is ordinary.

import type { WrittenRule } from '../rule-set.ts'
import * as texts from './texts.ts'

/** What only the backend knows. A usual payment to somebody who was paid before is left alone. */
const newPayee = 'params.newPayee == true'
const unusualAmount = 'params.unusualAmount == true'
/** As the phone reports it, or Google Play. */
const screenShown = '(mirroredScreen or signals.appCapturing)'
const remoteAccess = '(remoteAccess or signals.appControlling)'
/** Somebody may be talking to the customer, or looking on. */
const isAccompanied = `(activeCall or ${screenShown})`
const twoOnPhone = `(activeCall and (${screenShown} or ${remoteAccess})) or (${screenShown} and ${remoteAccess})`
const bothOfPayment = `${newPayee} and ${unusualAmount}`

const toNewPayee = { action: 'PAYMENT', 'params.newPayee': true }
const unusual = { action: 'PAYMENT', 'params.unusualAmount': true }

export const ledRules: readonly WrittenRule[] = [
  {
    id: 'led-payment',
    name: 'Customer may be led through the payment',
    description:
      'A new payee or an unusual amount, a call in progress or a shared screen, and one more: of these, or an app for remote access. Speak with the customer before the payment is sent.',
    when: `action == "PAYMENT" and (((${newPayee} or ${unusualAmount}) and (${twoOnPhone})) or (${bothOfPayment} and ${isAccompanied}))`,
    action: 'REVIEW',
    score: 50,
    message: texts.callUs,
    cases: [
      { fires: { ...toNewPayee, activeCall: true, mirroredScreen: true } },
      { fires: { ...toNewPayee, activeCall: true, remoteAccess: true } },
      { fires: { ...unusual, mirroredScreen: true, remoteAccess: true } },
      { fires: { ...toNewPayee, ...unusual, activeCall: true } },
      { name: 'by Play Integrity', fires: { ...toNewPayee, activeCall: true, 'signals.appControlling': true } },
      { name: 'a usual payment', silent: { action: 'PAYMENT', activeCall: true, mirroredScreen: true } },
      { name: 'remote access for work', silent: { ...toNewPayee, ...unusual, activeCall: false, remoteAccess: true } },
      { name: 'a call', silent: { ...toNewPayee, activeCall: true, remoteAccess: false } },
      { silent: { ...toNewPayee, action: 'LOGIN', activeCall: true, mirroredScreen: true } },
    ],
  },
  {
    id: 'payment-during-call',
    name: 'New or unusual payment during a call or screen sharing',
    description:
      'A new payee or an unusual amount, while a call is in progress or the screen is shared. The challenge gives the customer time to think.',
    when: `action == "PAYMENT" and (${newPayee} or ${unusualAmount}) and ${isAccompanied} and not (${twoOnPhone} or (${bothOfPayment}))`,
    action: 'CHALLENGE',
    score: 40,
    message: texts.somebodyOnTheLine,
    cases: [
      { fires: { ...toNewPayee, activeCall: true } },
      { fires: { ...unusual, mirroredScreen: true, remoteAccess: false } },
      { name: 'by Play Integrity', fires: { ...toNewPayee, 'signals.appCapturing': true } },
      { name: 'a review is stronger', silent: { ...toNewPayee, activeCall: true, remoteAccess: true } },
      { name: 'a review is stronger', silent: { ...toNewPayee, ...unusual, activeCall: true } },
      { name: 'a usual payment', silent: { action: 'PAYMENT', 'params.newPayee': false, activeCall: true } },
      { silent: { ...toNewPayee, activeCall: false, mirroredScreen: false } },
    ],
  },
]
