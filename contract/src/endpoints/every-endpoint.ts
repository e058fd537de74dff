// Which endpoints does the service have, whoever calls them? Each one once, in the order of the OpenAPI document.

import type { AdminEndpoint } from '../admin/admin-endpoint.ts'
import { adminEndpoints } from '../admin/admin-endpoints.ts'
import { camaraEndpoints, camaraNumberVerificationEndpoints, camaraTokenEndpoint } from './camara-endpoints.ts'
import type { Endpoint } from './endpoint.ts'
import { endpoints } from './endpoints.ts'

export const everyEndpoint: readonly (Endpoint | AdminEndpoint)[] = [
  ...new Set<Endpoint | AdminEndpoint>([
    ...Object.values(endpoints),
    camaraTokenEndpoint,
    ...Object.values(camaraEndpoints),
    ...Object.values(camaraNumberVerificationEndpoints),
    ...Object.values(adminEndpoints),
  ]),
]
