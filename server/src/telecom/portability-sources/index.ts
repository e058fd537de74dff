// Which kinds of remote portability source exist? One line each. Imported number data need no entry here.

import { enumSource } from './enum/enum.ts'
import { lookUp } from './look-up.ts'
import { sandbox } from './sandbox.ts'
import type { PortabilitySourceKind } from './source.ts'

export const portabilitySourceKinds: readonly PortabilitySourceKind[] = [enumSource, lookUp, sandbox]
