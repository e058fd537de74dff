// Which kinds of remote portability source are there? One line each; imported number data need none.

import { sandbox } from './sandbox.ts'
import type { PortabilitySourceKind } from './source.ts'

export const portabilitySourceKinds: readonly PortabilitySourceKind[] = [sandbox]
