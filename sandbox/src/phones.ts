// Which phone opens a URL of the operator? The network knows it by the IP address; a test says which phone has which one.

import type { Phone } from './phone.ts'
import { isValidNumber } from './phone-number.ts'
import { scenarioOf } from './scenarios.ts'

export interface Phones {
  /** The phone that calls from this IP address. Else one with the hinted number, by its scenario; undefined without a hint. */
  calling(address: string, hintedNumber: string | undefined): Phone | undefined
  /** Returns false when `phonesLimit` other phones are set. */
  set(address: string, phone: Phone): boolean
  all(): readonly (Phone & { address: string })[]
  remove(address?: string): void
}

export const phonesLimit = 1_000

export function callingPhones(): Phones {
  const phones = new Map<string, Phone>()
  return {
    calling: (address, hintedNumber) =>
      phones.get(plain(address)) ?? (hintedNumber === undefined ? undefined : byScenario(hintedNumber)),
    set(address, phone) {
      if (!phones.has(address) && phones.size >= phonesLimit) return false
      phones.set(address, phone)
      return true
    },
    all: () => [...phones].map(([address, phone]) => ({ address, ...phone })),
    remove(address) {
      if (address === undefined) phones.clear()
      else phones.delete(address)
    },
  }
}

function byScenario(number: string): Phone {
  const { hasOtherNumber, ...phone } = scenarioOf(number)?.phone ?? {}
  return { connection: 'mobile', ...phone, number: hasOtherNumber ? otherThan(number) : number }
}

/** A valid number that differs in its last digit. */
function otherThan(number: string): string {
  const digits = '0123456789'.replace(number.slice(-1), '')
  return [...digits].map((digit) => number.slice(0, -1) + digit).find(isValidNumber) ?? number.slice(0, -1)
}

/** IPv4 as it is written, also over a socket for IPv6. */
const plain = (address: string) => address.replace(/^::ffff:(?=\d+\.)/, '')
