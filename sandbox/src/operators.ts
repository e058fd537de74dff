// Which made-up operators are there? Their ids are of the ITU's test network, MCC 001, which no real operator has.

export interface Operator {
  /** "<MCC>-<MNC>" */
  readonly id: string
  readonly name: string
  /** False: the operator sells neither the SIM swap nor the call forwarding check. */
  readonly offersChecks: boolean
}

export const north: Operator = { id: '001-01', name: 'SANDBOX_NORTH', offersChecks: true }
export const south: Operator = { id: '001-02', name: 'SANDBOX_SOUTH', offersChecks: true }
export const basic: Operator = { id: '001-03', name: 'SANDBOX_BASIC', offersChecks: false }

export const operators: readonly Operator[] = [north, south, basic]

export function operatorById(id: string): Operator | undefined {
  return operators.find((operator) => operator.id === id)
}
