// Can a tenant read another tenant's devices? Everything that SDK calls store, tried by the SDKs and clients of other tenants.

import { endpoints } from '@ringfence/contract'
import { createApp, ordinaryFacts, type SdkClient, sdkClient } from '../../../../server/src/testing/sdk-client.ts'
import type { TestService } from '../../../../server/src/testing/test-service.ts'
import type { RecordKind, Tenant } from './records.ts'

const {
  sdkConfig,
  intelligence,
  pushFingerprint,
  secure,
  secureInfo,
  issueToken,
  deviceFingerprint,
  labelReports,
  listAccountDevices,
  updateAccountDevice,
  deleteAccountDevices,
} = endpoints

/** An SDK of this tenant's app. */
const sdkOf = async (tenant: Tenant, service: TestService): Promise<SdkClient> =>
  sdkClient(service, { app: await createApp(service, {}, tenant.id) })

const seen = ({ status, body }: { status: number; body: unknown }) => `${status} ${JSON.stringify(body)}`

/** A device that this tenant confirmed for a user, whose id another tenant uses too. */
async function confirmedDevice(owner: Tenant, service: TestService) {
  const { dfrId } = await (await sdkOf(owner, service)).fingerprint()
  const body = { dfrId, deviceType: 'WEB', userId: 'customer-1' }
  await service.post(deviceFingerprint.path, body, { ...owner.credentials })
  const listed = async ({ credentials }: Tenant) =>
    (await service.post(listAccountDevices.path, { userId: 'customer-1' }, { ...credentials })).body.devices
  return { dfrId, listed }
}

export const deviceRecords: readonly RecordKind[] = [
  {
    endpoint: listAccountDevices.path,
    what: 'devices of a user',
    async plant(owner, service) {
      const { listed } = await confirmedDevice(owner, service)
      return async (other) => {
        const devices = await listed(other)
        const own = await listed(owner)
        if (own.length === 0) throw new Error('the owner has no device')
        const seen = devices.filter(({ deviceId }: { deviceId: string }) => JSON.stringify(own).includes(deviceId))
        return seen.length === 0 ? undefined : JSON.stringify(seen)
      }
    },
  },
  ...[updateAccountDevice.path, deleteAccountDevices.path].map((endpoint): RecordKind => {
    return {
      endpoint,
      what: 'device of a user that another tenant changes',
      async plant(owner, service) {
        const { listed } = await confirmedDevice(owner, service)
        const before = JSON.stringify(await listed(owner))
        const { deviceId } = JSON.parse(before)[0]
        return async (other) => {
          const body = { userId: 'customer-1', deviceId, name: 'stolen' }
          const answer = await service.post(endpoint, body, { ...other.credentials })
          const after = JSON.stringify(await listed(owner))
          const isRefused = answer.status === 404 || answer.body.deleted === 0
          return isRefused && after === before ? undefined : `${seen(answer)} and ${after}`
        }
      },
    }
  }),
  {
    endpoint: sdkConfig.path,
    what: 'session of an app',
    async plant(owner, service) {
      const { headers } = await sdkOf(owner, service)
      return async (other) => {
        const stranger = await sdkOf(other, service)
        const answer = await stranger.post(intelligence.path, stranger.engineBody(), {
          authorization: headers.authorization!,
        })
        return answer.status === 401 ? undefined : seen(answer)
      }
    },
  },
  ...[intelligence.path, secure.path].map((endpoint): RecordKind => {
    return {
      endpoint,
      what: 'device identified by its token, and answer with the same request id',
      async plant(owner, service) {
        const client = await sdkOf(owner, service)
        const body = client.engineBody()
        const own = await client.post(endpoint, body)
        const [deviceId] = own.body.deviceToken.split('.')
        return async (other) => {
          const stranger = await sdkOf(other, service)
          const facts = { ...ordinaryFacts, deviceToken: own.body.deviceToken }
          const answer = await stranger.post(endpoint, stranger.engineBody(facts, { requestId: body.requestId }))
          const isOwn = answer.status === 200 && !JSON.stringify(answer.body).includes(deviceId)
          return isOwn && answer.body.nextChallenge !== own.body.nextChallenge ? undefined : seen(answer)
        }
      },
    }
  }),
  {
    endpoint: pushFingerprint.path,
    what: 'analysis that another tenant pushes',
    async plant(owner, service) {
      const { requestId } = await (await sdkOf(owner, service)).fingerprint()
      return async (other) => {
        const stranger = await sdkOf(other, service)
        const answer = await stranger.post(pushFingerprint.path, stranger.pushBody(requestId))
        return answer.status === 401 ? undefined : seen(answer)
      }
    },
  },
  {
    endpoint: issueToken.path,
    what: 'device of an analysis',
    async plant(owner, service) {
      const { requestId } = await (await sdkOf(owner, service)).analyse()
      const identities = [{ identityType: 'X', identityValue: 'x', channel: 'X', methods: ['X'], verified: false }]
      return async (other) => {
        const body = { userId: 'x', identities, requestId }
        const answer = await service.post(issueToken.path, body, { ...other.credentials })
        return answer.body.errorCode === '7115' ? undefined : seen(answer)
      }
    },
  },
  {
    endpoint: secureInfo.path,
    what: 'token of the Secure SDK',
    async plant(owner, service) {
      const client = await sdkOf(owner, service)
      const { token } = (await client.post(secure.path, client.engineBody())).body
      return async (other) => {
        const answer = await service.post(secureInfo.path, { token }, { ...other.credentials })
        return answer.body.errorCode === '7114' ? undefined : seen(answer)
      }
    },
  },
  {
    endpoint: deviceFingerprint.path,
    what: 'report of a device',
    async plant(owner, service) {
      const { dfrId } = await (await sdkOf(owner, service)).fingerprint()
      return async (other) => {
        const body = { dfrId, deviceType: 'WEB' }
        const answer = await service.post(deviceFingerprint.path, body, { ...other.credentials })
        return answer.status === 404 ? undefined : seen(answer)
      }
    },
  },
  {
    endpoint: labelReports.path,
    what: 'label of a report, and history of its device',
    async plant(owner, service) {
      const client = await sdkOf(owner, service)
      const { deviceToken } = await client.analyse()
      const facts = { ...ordinaryFacts, deviceToken }
      const { dfrId } = await client.fingerprint(facts)
      return async (other) => {
        const labels = [{ dfrId, outcome: 'fraud' }]
        const answer = await service.post(labelReports.path, { labels }, { ...other.credentials })
        if (answer.body.accepted !== 0) return seen(answer)
        const next = await client.fingerprint(facts)
        const report = await service.post(
          deviceFingerprint.path,
          { dfrId: next.dfrId, deviceType: 'WEB' },
          { ...owner.credentials },
        )
        return 'known-bad-device : Device used in earlier fraud' in report.body.appliedRules.rules
          ? seen(report)
          : undefined
      }
    },
  },
]
