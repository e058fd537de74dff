// How does a test get a report in which no signal fires? With the recorded facts of an ordinary browser.

import { type SdkClient, type SdkClientOptions, sdkClient } from '../../testing/sdk-client.ts'
import type { TestService } from '../../testing/test-service.ts'
import type { Evidence } from '../analysis/evidence.ts'
import { recorded } from './recordings.ts'

const ordinary = recorded('chromium-ordinary')

/** Facts of a browser for which no signal fires. */
export const ordinaryFacts = ordinary.facts

/** The headers of a recorded browser that each of its calls has. */
export const headersOf = ({ headers }: Pick<Evidence, 'headers'>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || name.startsWith('sec-fetch') ? [] : [[name, value]],
    ),
  )

const ordinaryHeaders = headersOf(ordinary)

/** An SDK client with the headers of that browser. */
export const browserClient = (
  service: TestService,
  { headers, ...options }: SdkClientOptions = {},
): Promise<SdkClient> => sdkClient(service, { headers: { ...ordinaryHeaders, ...headers }, ...options })
