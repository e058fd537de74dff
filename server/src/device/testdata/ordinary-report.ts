// How does a test get a report in which no signal fires by itself? As an ordinary browser that was recorded.

import { type SdkClient, type SdkClientOptions, sdkClient } from '../../testing/sdk-client.ts'
import type { TestService } from '../../testing/test-service.ts'
import { recorded } from './recordings.ts'

const { facts, headers: recordedHeaders } = recorded('chromium-ordinary')

/** Of a browser that no signal finds anything of. */
export const ordinaryFacts = facts

const ordinaryHeaders = Object.fromEntries(
  Object.entries(recordedHeaders).flatMap(([name, value]) =>
    value === undefined || name.startsWith('sec-fetch') ? [] : [[name, value]],
  ),
)

/** An SDK that calls with the headers of that browser. */
export const browserClient = (
  service: TestService,
  { headers, ...options }: SdkClientOptions = {},
): Promise<SdkClient> => sdkClient(service, { headers: { ...ordinaryHeaders, ...headers }, ...options })
