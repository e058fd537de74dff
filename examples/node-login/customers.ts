// Who are the customers of this backend? Each has its own id. A real backend stores them in its database.

import { randomUUID } from 'node:crypto'

export interface Customer {
  readonly id: string
  readonly phoneNumber?: string
  readonly email?: string
}

interface Identity {
  readonly identityType: string
  readonly identityValue: string
  readonly verified: boolean
}

export interface Customers {
  byId(id: string): Customer | undefined
  /** The customer who proved this number or email address, or a new one, who is not stored yet. */
  whoProved(identities: readonly Identity[]): { customer: Customer; isNew: boolean }
  add(customer: Customer): void
}

const first: readonly Customer[] = [
  { id: 'asha', phoneNumber: '917020141726', email: 'asha@example.com' },
  // In the sandbox, the SIM of this number was swapped an hour ago.
  { id: 'mira', phoneNumber: '917020140110', email: 'mira@example.com' },
]

export function openCustomers(): Customers {
  const customers = new Map(first.map((customer) => [customer.id, customer]))
  return {
    byId: (id) => customers.get(id),
    whoProved(identities) {
      const proved = (type: string) =>
        identities.find(({ identityType, verified }) => identityType === type && verified)?.identityValue
      const [phoneNumber, email] = [proved('MOBILE'), proved('EMAIL')]
      const found = [...customers.values()].find(
        (each) =>
          (phoneNumber !== undefined && each.phoneNumber === phoneNumber) ||
          (email !== undefined && each.email === email),
      )
      if (found) return { customer: found, isNew: false }
      const contact = { ...(phoneNumber !== undefined && { phoneNumber }), ...(email !== undefined && { email }) }
      return { customer: { id: `customer-${randomUUID()}`, ...contact }, isNew: true }
    },
    add: (customer) => void customers.set(customer.id, customer),
  }
}
