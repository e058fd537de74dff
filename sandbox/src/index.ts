// What does @ringfence/sandbox export? The operator, and its scenarios and operators as data.

export type { Call } from './call-log.ts'
export { type Clock, type MovableClock, movableClock } from './clock.ts'
export { type AimedFault, type FaultKind, type Route, routes } from './faults.ts'
export type { Line, LineChange } from './lines.ts'
export type { SandboxClient } from './oauth/clients.ts'
export { type Operator, operators } from './operators.ts'
export type { NumberRecord } from './portability.ts'
export { type ForwardingKind, type Scenario, scenarioOf, scenarios } from './scenarios.ts'
export { InvalidInput } from './schema-check.ts'
export { type Sandbox, type SandboxOptions, startSandbox } from './start-sandbox.ts'
