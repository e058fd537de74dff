// What is an attack of a stranger, or of somebody with a restricted secret?

import type {
  SignInOptions,
  SignInService,
} from '../../../../server/src/sign-in/authentication/testing/sign-in-service.ts'
import type { Ending } from '../../../../server/src/testing/at-end.ts'

export interface Abuse {
  readonly name: string
  /** Of the service that is attacked. */
  options?(ending: Ending): SignInOptions | Promise<SignInOptions>
  run(stage: AbuseStage): Promise<void>
}

export interface AbuseStage {
  readonly service: SignInService
  readonly full: boolean
  /** An attempt. `holds`: it got nothing. */
  refused(holds: boolean, what: () => string): void
  /** What an honest caller may still do; a service that refuses everything is no defence. */
  allowed(holds: boolean, what: () => string): void
}
