// Which kinds of connector exist? One line each.

import { camara } from './camara.ts'
import type { ConnectorKind } from './connector.ts'
import { http } from './http/http.ts'
import { sinch } from './look-ups/sinch.ts'
import { telesign } from './look-ups/telesign.ts'
import { telnyx } from './look-ups/telnyx.ts'
import { twilioLookup } from './look-ups/twilio-lookup.ts'
import { vonageInsights } from './look-ups/vonage-insights.ts'

export const connectorKinds: readonly ConnectorKind[] = [
  camara,
  twilioLookup,
  telnyx,
  vonageInsights,
  sinch,
  telesign,
  http,
]
