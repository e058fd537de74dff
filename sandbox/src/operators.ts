// Which operators does the sandbox have? Their ids use MCC 001, the ITU's test network, so no real operator has them.

export interface Operator {
  /** "<MCC>-<MNC>" */
  readonly id: string
  readonly name: string
  /** Whether the operator offers the SIM swap and call forwarding checks. */
  readonly offersChecks: boolean
}

export const north: Operator = { id: '001-01', name: 'SANDBOX_NORTH', offersChecks: true }
export const south: Operator = { id: '001-02', name: 'SANDBOX_SOUTH', offersChecks: true }
export const basic: Operator = { id: '001-03', name: 'SANDBOX_BASIC', offersChecks: false }

export const operators: readonly Operator[] = [north, south, basic]

export function operatorById(id: string): Operator | undefined {
  return operators.find((operator) => operator.id === id)
}
