// The configuration file of the example: one operator by CAMARA, five look-up vendors, one other API, ENUM; routes by country, prices.

import { stringify } from 'yaml'

const secret = { env: 'EXAMPLE_SECRET' }

export interface Upstreams {
  /** The sandbox operator. */
  readonly operator: string
  /** The others, by name. */
  readonly urls: Readonly<Record<string, string>>
  /** The name server of the ENUM zone, if there is one. */
  readonly nameServer: string | undefined
}

export function configurationText({ operator, urls, nameServer }: Upstreams): string {
  const enumSource = nameServer && {
    type: 'enum',
    zone: 'e164.test',
    servers: [nameServer],
    callingCodes: ['41'],
    rn: { 98002: '228-02' },
    spn: { 41079: '228-01' },
    home: { 4179: '228-01' },
  }
  return stringify({
    settings: { simSwapReuseSeconds: 3600, portabilityReuseSeconds: 3600 },
    connectors: {
      acme: {
        type: 'camara',
        sandbox: true,
        baseUrl: operator,
        token: tokenOf(operator),
        simSwap: {},
        callForwarding: {},
        roaming: {},
      },
      ...lookUpVendors(urls),
      hub: httpApi(urls.hub),
    },
    portabilitySources: {
      ...(enumSource && { 'swiss-enum': enumSource }),
      ...Object.fromEntries(asked.map((connector) => [connector, { type: 'connector', connector }])),
      // The sandbox knows every number, so it is last.
      acme: { type: 'sandbox', baseUrl: operator, token: tokenOf(operator) },
    },
    // The others are asked in the order above, after imported numbers.
    portability: { countries: { NL: ['imported'], ...(enumSource && { CH: ['swiss-enum'] }) } },
    operators,
    routing,
    costs,
  })
}

const tokenOf = (operator: string) => ({
  endpoint: `${operator}/oauth2/token`,
  clientId: 'example',
  authentication: 'client_secret_basic',
  clientSecret: secret,
})

/** The connectors that say who serves a number. */
const asked = ['telnyx', 'vonage', 'sinch', 'telesign', 'hub']

const lookUpVendors = (urls: Upstreams['urls']) => ({
  twilio: { type: 'twilio-lookup', sandbox: true, baseUrl: urls.twilio, accountSid: 'AC1', authToken: secret },
  telnyx: { type: 'telnyx', sandbox: true, baseUrl: urls.telnyx, apiKey: secret },
  vonage: {
    type: 'vonage-insights',
    sandbox: true,
    baseUrl: urls.vonage,
    applicationId: 'app',
    privateKey: { env: 'EXAMPLE_KEY' },
  },
  sinch: { type: 'sinch', sandbox: true, baseUrl: urls.sinch, projectId: 'p', keyId: 'k', keySecret: secret },
  telesign: {
    type: 'telesign',
    sandbox: true,
    baseUrl: urls.telesign,
    customerId: 'c',
    apiKey: secret,
    consentMethod: 1,
  },
})

/** An API that no connector of ours is written for. */
const httpApi = (baseUrl: string | undefined) => ({
  type: 'http',
  sandbox: true,
  baseUrl,
  secrets: { key: secret },
  headers: { authorization: 'Bearer {secret.key}' },
  checks: {
    simSwap: {
      path: '/numbers/{digits}?hours={maxAge}',
      answer: { swapped: { at: '$.data.swap', values: { Y: true, N: false, '': null } } },
      samples: [{ response: { data: { swap: 'Y' } }, answer: { swapped: true } }],
    },
  },
  operator: {
    path: '/numbers/{digits}',
    answer: {
      mcc: '$.data.mcc',
      mnc: '$.data.mnc',
      ported: { at: '$.data.ported', values: { Y: true, N: false, '': null } },
    },
    errors: [{ status: 404, means: 'unsupported' }],
    samples: [{ response: { data: { mcc: '724', mnc: '05', ported: 'N' } }, answer: { ported: false } }],
  },
})

const operators = [
  { id: '001-01', name: 'ACME_NORTH', connector: 'acme' },
  { id: '001-02', name: 'ACME_SOUTH', connector: 'acme' },
  { id: '310-410', name: 'EXAMPLE_MOBILE' },
  { id: '262-02', name: 'BEISPIEL_MOBIL', simSwap: { defaultMaxAgeHours: 168 } },
]

const routing = {
  countries: {
    US: [{ connector: 'twilio' }, { connector: 'hub' }],
    GB: [{ connector: 'vonage' }],
    DE: [{ connector: 'sinch' }],
    FR: [{ connector: 'telesign' }],
  },
  otherwise: [{ connector: 'hub' }],
}

const costs = {
  currency: 'EUR',
  prices: {
    acme: { otherwise: 2000 },
    twilio: { simSwap: 15_000, otherwise: 10_000 },
    vonage: { otherwise: 8000 },
    sinch: { otherwise: 6000 },
    telesign: { otherwise: 9000 },
    hub: { otherwise: 1000 },
  },
  dailyCap: { total: 1_000_000 },
}
