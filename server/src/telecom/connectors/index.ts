// Which kinds of connector exist? One line each.

import { camara } from './camara.ts'
import type { ConnectorKind } from './connector.ts'

export const connectorKinds: readonly ConnectorKind[] = [camara]
