// What does a scenario arrange before its request, and what came back? Its steps change this.

import { randomUUID } from 'node:crypto'
import {
  type AnyCamaraApi,
  type CamaraApiName,
  type CamaraVersion,
  camaraPath,
  camaraVersions,
  checks,
  numberVerificationApi,
  operatorCheckNames,
  versionsOf,
} from '@ringfence/contract'
import type { LineChange } from '@ringfence/sandbox'
import type { TestService } from '../../server/src/testing/test-service.ts'
import type { Feature, Scenario } from './feature-files.ts'

/** The scenario asks for something that is not here; the message says what. */
export class NotRun extends Error {
  override name = 'NotRun'
}

export type Token = 'valid' | 'none' | 'expired' | 'changed' | 'of another call' | 'not of the network'

export interface Received {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a scenario reads the fields that it expects
  readonly body: any
}

type Body = Record<string, unknown>

/** Our own API, or the operator behind it without us. */
export type Target = 'front' | 'sandbox'

/** No number of a country's plan. */
export const unknownNumber = '+346661113334'

export class World {
  readonly target: Target
  readonly service: TestService
  readonly feature: Feature
  readonly scenario: Scenario
  readonly correlator = randomUUID()
  api: CamaraApiName | undefined
  version: CamaraVersion | undefined
  path = ''
  scope = ''
  token: Token = 'valid'
  number = '917020141726'
  body: Body | string | undefined = {}
  received: Received | undefined

  constructor(target: Target, service: TestService, feature: Feature, scenario: Scenario) {
    this.target = target
    this.service = service
    this.feature = feature
    this.scenario = scenario
  }

  get phoneNumber(): string {
    return `+${this.number}`
  }

  get nowMs(): number {
    return this.service.clock.now()
  }

  get subscriber() {
    return this.service.sandbox.lines.at(this.number).subscriber
  }

  get isOfDevice(): boolean {
    return apiNamed(this.api!)?.identifier === 'device'
  }

  /** Sets what the operator knows of the number. */
  know(change: LineChange): void {
    this.service.sandbox.lines.change(this.number, change)
  }

  /** Other numbers have their own fixed scenario in the sandbox. */
  setNumberEnding(suffix: string): void {
    this.number = `91702014${suffix}`
    this.put(this.isOfDevice ? '$.device.phoneNumber' : '$.phoneNumber', this.phoneNumber)
  }

  /** `/kyc-match/vwip/match`: a main branch is the newest version that is served. */
  setResource(text: string): void {
    const [api = '', wanted = '', ...resource] = text
      .replace(/^\{api-root\}/, '')
      .split('/')
      .filter((part) => part !== '')
    if (!Object.hasOwn(camaraVersions, api)) throw new NotRun(`the API ${api} is not served`)
    this.api = api as CamaraApiName
    const versions = versionsOf(this.api)
    this.version = wanted === 'vwip' ? versions.at(-1)! : versions.find(({ version }) => version === wanted)
    if (!this.version) throw new NotRun(`${api} ${wanted} is not served`)
    this.setCall(resource.join('/'))
    this.body = this.compliantBody()
  }

  setCall(resource: string): void {
    const { api, verify, share } = numberVerificationApi
    const calls = this.api === api ? [verify, share] : apiNamed(this.api!)!.calls
    this.path = `${camaraPath(this.api!, this.version!)}${resource === '' ? '' : `/${resource}`}`
    this.scope = calls.find((call) => call.resource === resource)?.scope ?? ''
  }

  compliantBody(): Body {
    const { place } = this.subscriber
    const center = { latitude: place!.latitude, longitude: place!.longitude }
    const more: Partial<Record<CamaraApiName, Body>> = {
      'number-recycling': { specifiedDate: '2020-01-01' },
      'kyc-tenure': { tenureDate: '2020-01-01' },
      'kyc-match': { name: this.subscriber.name },
      'location-verification': { area: { areaType: 'CIRCLE', center, radius: 5000 } },
    }
    const { phoneNumber } = this
    return { ...(this.isOfDevice ? { device: { phoneNumber } } : { phoneNumber }), ...more[this.api!] }
  }

  /** Sets the member of the body at `$.area.radius`, or `area.radius`; undefined removes it. */
  put(path: string, value: unknown): void {
    if (typeof this.body !== 'object') this.body = {}
    const parts = path.replace(/^\$\./, '').split('.')
    let holder = this.body
    for (const part of parts.slice(0, -1)) {
      const inner = { ...((holder[part] as Body | undefined) ?? {}) }
      holder[part] = inner
      holder = inner
    }
    const last = parts.at(-1)!
    if (value === undefined) delete holder[last]
    else holder[last] = value
  }
}

const apiNamed = (name: string): AnyCamaraApi | undefined =>
  operatorCheckNames.map((check) => checks[check].camara as AnyCamaraApi).find(({ api }) => api === name)
