// What does NavigatorUAData contain? Chromium only; TypeScript lacks it. (Client Hints, WICG)

export interface Brand {
  brand: string
  version: string
}

export interface HighEntropyValues {
  fullVersionList?: Brand[]
  platformVersion?: string
  architecture?: string
  bitness?: string
  model?: string
  formFactors?: string[]
}

interface UserAgentData {
  readonly brands: Brand[]
  readonly mobile: boolean
  readonly platform: string
  getHighEntropyValues(hints: string[]): Promise<HighEntropyValues>
}

export const userAgentData = () => (navigator as { userAgentData?: UserAgentData }).userAgentData
