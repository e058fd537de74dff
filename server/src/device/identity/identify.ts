// Which browser is this? Identifies it by its key, its token or similarity; phone.ts identifies a phone.

import type { DevicePlatform } from '@ringfence/contract'
import { type IntelligenceRequest, WebFacts } from '@ringfence/contract'
import type { SessionCall } from '../../apps/call.ts'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import type { Evidence } from '../analysis/evidence.ts'
import type { DeviceNeeds } from '../room.ts'
import { deviceTokenFor, isExpired, keyInToken, readDeviceToken } from './device-token.ts'
import type { Identity } from './identification.ts'
import { factsMissing } from './missing-facts.ts'
import { paceOf } from './pace.ts'
import { keyHashOfProof, verifyProof } from './proof.ts'
import { recognise } from './recognise.ts'

const webFactNames: ReadonlySet<string> = new Set(Object.keys(WebFacts.properties))

export interface IdentifiedCall {
  readonly body: IntelligenceRequest
  /** Of the body: it is made canonical once (signed-text.ts). */
  readonly digest: string
  readonly facts: Evidence['facts']
  /** Device tokens that the browser sent: its cookie first, then the fact. */
  readonly tokens: readonly (string | undefined)[]
  /** The network of the call, looked up meanwhile. */
  readonly network: Promise<Evidence['network']>
}

/**
 * Recognises a browser, or names a new device. The valid token of the proved key counts, else the first one: a
 * neighbouring site may have set the cookie. A forged token is recorded even beside a valid one.
 * The change must be stored with the analysis.
 */
export async function identify(
  { body, digest, facts, tokens: sent, network }: IdentifiedCall,
  { app, address }: SessionCall,
  needs: DeviceNeeds,
): Promise<Identity> {
  const { tenantId } = app
  const keys = await needs.tenantKeyring.keysOf(tenantId)
  const models = await needs.device.learnedModels.of(tenantId)
  const now = needs.clock.now()
  const texts = new Set(sent.filter((text) => text !== undefined))
  const tokens = [...texts].map((text) => readDeviceToken(text, keys))
  const proof = verifyProof(body, digest)
  const keyHash = proof?.state === 'proved' ? proof.keyHash : undefined
  const valid = tokens.filter((token) => token !== undefined)
  const known = valid.find(({ key }) => keyHash && key === keyInToken(keyHash)) ?? valid[0]
  const expired = known && isExpired(known, now)
  const pace = async () => paceOf(await network, needs.settings)
  const { deviceId, newDevice, installationId, by, confidence, likely, change, ...found } = await recognise(
    {
      tenantId,
      facts,
      address,
      token: expired ? undefined : known,
      keyHash,
      installation: body.inId,
      pace,
    },
    needs,
    models,
  )
  const forged = tokens.includes(undefined) ? 'forged' : undefined
  const tampering = forged ?? (found.tamperingByToken ? found.token : undefined)
  const tokenCheck = tampering ?? (known && !expired && !found.token ? 'known' : undefined)
  const token = forged ?? found.token ?? (expired ? 'expired' : undefined)
  const missing = factsMissing(body.factsMissing, facts, webFactNames)
  return {
    deviceId,
    newDevice,
    installationId,
    identification: {
      by,
      confidence: confidence.score,
      ...(likely && { likely }),
      ...(missing && { factsMissing: missing }),
      ...(token && { token }),
      ...(found.isCrowded && (await pace()).isPublic && { crowded: true }),
      ...(keyHash && { isSigned: true }),
    },
    confidence: { ...confidence, revision: models.revision },
    ...(tokenCheck && { tokenCheck }),
    ...(proof?.state === 'refused' && { wrongProof: proof.because }),
    ...(change && { change }),
  }
}

interface AnalysedInstallation {
  readonly platform: DevicePlatform
  readonly installationId?: string
  readonly evidence: Pick<Evidence, 'now' | 'wrongProof'>
}

/** The token to answer with: of the installation that was analysed, and bound to the key that it proved. */
export function deviceTokenOf(
  { platform, installationId, evidence: { now, wrongProof } }: AnalysedInstallation,
  body: IntelligenceRequest,
  cookie: string | undefined,
  keys: TenantKeys,
): string | undefined {
  if (platform !== 'WEB' || installationId === undefined) return undefined
  const { deviceToken: fact } = body.facts
  const texts = new Set([cookie, fact].filter((text) => typeof text === 'string'))
  const sent = [...texts].map((text) => readDeviceToken(text, keys))
  const keyHash = wrongProof === undefined ? keyHashOfProof(body) : undefined
  return deviceTokenFor(sent, { installationId, keyHash, now }, keys)
}
