// Which kinds of upstream are there? One line each.

import { camara } from './camara.ts'
import type { ConnectorKind } from './connector.ts'

export const connectorKinds: readonly ConnectorKind[] = [camara]
