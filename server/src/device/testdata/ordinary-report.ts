// How does a test get a report in which no signal fires? With the recorded facts of an ordinary browser.

import { type SdkClient, type SdkClientOptions, sdkClient } from '../../testing/sdk-client.ts'
import type { TestService } from '../../testing/test-service.ts'
import { recorded } from './recordings.ts'

const { facts, headers: recordedHeaders } = recorded('chromium-ordinary')

/** Facts of a browser for which no signal fires. */
export const ordinaryFacts = facts

const ordinaryHeaders = Object.fromEntries(
  Object.entries(recordedHeaders).flatMap(([name, value]) =>
    value === undefined || name.startsWith('sec-fetch') ? [] : [[name, value]],
  ),
)

/** An SDK client with the headers of that browser. */
export const browserClient = (
  service: TestService,
  { headers, ...options }: SdkClientOptions = {},
): Promise<SdkClient> => sdkClient(service, { headers: { ...ordinaryHeaders, ...headers }, ...options })
