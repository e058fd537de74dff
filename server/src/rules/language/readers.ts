// How is each path read? Each reader is written out, because V8 reads a fixed name six times as fast as a computed one.

import { telecomChecks } from '@ringfence/contract'
import { signals } from '../../device/signals/index.ts'
import type { Signal } from '../../device/signals/signal.ts'
import { checkReaders } from '../../telecom/rule-paths.ts'
import type { RuleInput } from './vocabulary.ts'

export type Read = (input: RuleInput) => unknown
type Readers = Readonly<Record<string, Read>>

const sessionReaders: Readers = {
  platform: ({ platform }) => platform,
  appId: ({ appId }) => appId,
  sessionId: ({ sessionId }) => sessionId,
  deviceId: ({ deviceId }) => deviceId,
  installationId: ({ installationId }) => installationId,
  newDevice: ({ newDevice }) => newDevice,
  sessionRiskScore: ({ sessionRiskScore }) => sessionRiskScore,
  deviceRiskScore: ({ deviceRiskScore }) => deviceRiskScore,
}

const deviceReaders: Readers = {
  ip: ({ ip }) => ip,
  'ipDetails.city': ({ ipDetails }) => ipDetails?.city,
  'ipDetails.region': ({ ipDetails }) => ipDetails?.region,
  'ipDetails.country': ({ ipDetails }) => ipDetails?.country,
  'ipDetails.isp': ({ ipDetails }) => ipDetails?.isp,
  'ipDetails.asn': ({ ipDetails }) => ipDetails?.asn,
  'ipDetails.fraudScore': ({ ipDetails }) => ipDetails?.fraudScore,
  'gpsLocation.latitude': ({ gpsLocation }) => gpsLocation?.latitude,
  'gpsLocation.longitude': ({ gpsLocation }) => gpsLocation?.longitude,
  'gpsLocation.altitude': ({ gpsLocation }) => gpsLocation?.altitude,
  'deviceMeta.brand': ({ deviceMeta }) => deviceMeta?.brand,
  'deviceMeta.model': ({ deviceMeta }) => deviceMeta?.model,
  'deviceMeta.iOSVersion': ({ deviceMeta }) => deviceMeta?.iOSVersion,
  'deviceMeta.cpuType': ({ deviceMeta }) => deviceMeta?.cpuType,
  'deviceMeta.screenResolution': ({ deviceMeta }) => deviceMeta?.screenResolution,
  'deviceMeta.totalRAM': ({ deviceMeta }) => deviceMeta?.totalRAM,
  'deviceMeta.storageAvailable': ({ deviceMeta }) => deviceMeta?.storageAvailable,
  'deviceMeta.storageTotal': ({ deviceMeta }) => deviceMeta?.storageTotal,
  'sim.slots': ({ sim }) => sim?.slots,
  'sim.inserted': ({ sim }) => sim?.inserted,
  'sim.networkCode': ({ sim }) => sim?.networkCode,
  'sim.carrier': ({ sim }) => sim?.carrier,
  'sim.country': ({ sim }) => sim?.country,
  'sim.countryOfNumber': ({ sim }) => sim?.countryOfNumber,
  'sim.operatorOfNumber': ({ sim }) => sim?.operatorOfNumber,
}

const decisionReaders: Readers = {
  action: ({ action }) => action,
  userId: ({ userId }) => userId,
  phoneNumber: ({ phoneNumber }) => phoneNumber,
  score: ({ score }) => score,
  reportAgeSeconds: ({ reportAgeSeconds }) => reportAgeSeconds,
  reportSubjects: ({ reportSubjects }) => reportSubjects,
  'email.address': ({ email }) => email?.address,
  'email.mailbox': ({ email }) => email?.mailbox,
  'email.domain': ({ email }) => email?.domain,
  'email.disposable': ({ email }) => email?.disposable,
  'email.freeMail': ({ email }) => email?.freeMail,
  'email.role': ({ email }) => email?.role,
  'email.suggestedDomain': ({ email }) => email?.suggestedDomain,
  'login.userId': ({ login }) => login?.userId,
  'login.ageSeconds': ({ login }) => login?.ageSeconds,
  'login.verified': ({ login }) => login?.verified,
  'login.identityType': ({ login }) => login?.identityType,
  'login.channel': ({ login }) => login?.channel,
  'login.method': ({ login }) => login?.method,
  'login.ofPhoneNumber': ({ login }) => login?.ofPhoneNumber,
  'login.otherDevice': ({ login }) => login?.otherDevice,
  'login.ip': ({ login }) => login?.ip,
  'login.country': ({ login }) => login?.country,
  'missing.login': ({ missing }) => missing?.login,
  'missing.device': ({ missing }) => missing?.device,
  'missing.phone': ({ missing }) => missing?.phone,
  ...Object.fromEntries(
    telecomChecks.map((check): [string, Readers[string]] => [`missing.${check}`, ({ missing }) => missing?.[check]]),
  ),
  'missing.everything': ({ missing }) => missing?.everything,
}

const otherReaders: Readers = {
  'signals.suspectScore': ({ signals }) => signals?.suspectScore,
  'signals.confidence': ({ signals }) => signals?.confidence,
  'velocity.accountsPerDevice1h': ({ velocity }) => velocity?.accountsPerDevice1h,
  'velocity.accountsPerDevice24h': ({ velocity }) => velocity?.accountsPerDevice24h,
  'velocity.accountsPerDevice7d': ({ velocity }) => velocity?.accountsPerDevice7d,
  'velocity.phoneNumbersPerDevice1h': ({ velocity }) => velocity?.phoneNumbersPerDevice1h,
  'velocity.phoneNumbersPerDevice24h': ({ velocity }) => velocity?.phoneNumbersPerDevice24h,
  'velocity.phoneNumbersPerDevice7d': ({ velocity }) => velocity?.phoneNumbersPerDevice7d,
  'velocity.countriesPerDevice1h': ({ velocity }) => velocity?.countriesPerDevice1h,
  'velocity.countriesPerDevice24h': ({ velocity }) => velocity?.countriesPerDevice24h,
  'velocity.countriesPerDevice7d': ({ velocity }) => velocity?.countriesPerDevice7d,
  'velocity.accountsPerMailbox24h': ({ velocity }) => velocity?.accountsPerMailbox24h,
  'velocity.accountsPerMailbox7d': ({ velocity }) => velocity?.accountsPerMailbox7d,
  'velocity.accountsPerMailbox30d': ({ velocity }) => velocity?.accountsPerMailbox30d,
  'velocity.devicesPerAccount1h': ({ velocity }) => velocity?.devicesPerAccount1h,
  'velocity.devicesPerAccount24h': ({ velocity }) => velocity?.devicesPerAccount24h,
  'velocity.devicesPerAccount7d': ({ velocity }) => velocity?.devicesPerAccount7d,
  'history.deviceAgeDays': ({ history }) => history?.deviceAgeDays,
  'history.badReports': ({ history }) => history?.badReports,
  'history.linkedBadReports': ({ history }) => history?.linkedBadReports,
  'likely.deviceId': ({ likely }) => likely?.deviceId,
  'likely.confidence': ({ likely }) => likely?.confidence,
  'likely.badReports': ({ likely }) => likely?.badReports,
  'likely.blocked': ({ likely }) => likely?.blocked,
  'likely.newDevices24h': ({ likely }) => likely?.newDevices24h,
  'likely.accountsPerDevice1h': ({ likely }) => likely?.accountsPerDevice1h,
  'likely.accountsPerDevice24h': ({ likely }) => likely?.accountsPerDevice24h,
  'likely.accountsPerDevice7d': ({ likely }) => likely?.accountsPerDevice7d,
  'likely.phoneNumbersPerDevice1h': ({ likely }) => likely?.phoneNumbersPerDevice1h,
  'likely.phoneNumbersPerDevice24h': ({ likely }) => likely?.phoneNumbersPerDevice24h,
  'likely.phoneNumbersPerDevice7d': ({ likely }) => likely?.phoneNumbersPerDevice7d,
  'telecom.operator': ({ telecom }) => telecom?.operator,
  'telecom.homeOperator': ({ telecom }) => telecom?.homeOperator,
  'telecom.countryCode': ({ telecom }) => telecom?.countryCode,
  'telecom.country': ({ telecom }) => telecom?.country,
  'telecom.type': ({ telecom }) => telecom?.type,
  ...checkReaders,
  'account.sessions': ({ account }) => account?.sessions,
  'account.ageDays': ({ account }) => account?.ageDays,
  'account.daysSinceLastSession': ({ account }) => account?.daysSinceLastSession,
  'account.hoursSinceProvenHere': ({ account }) => account?.hoursSinceProvenHere,
  'account.knownDevice': ({ account }) => account?.knownDevice,
  'account.newCountry': ({ account }) => account?.newCountry,
  'account.rareCountry': ({ account }) => account?.rareCountry,
  'account.newNetwork': ({ account }) => account?.newNetwork,
  'account.rareNetwork': ({ account }) => account?.rareNetwork,
  'account.newOperator': ({ account }) => account?.newOperator,
  'account.newNumber': ({ account }) => account?.newNumber,
  'account.unusualHour': ({ account }) => account?.unusualHour,
  'account.linkedAccounts': ({ account }) => account?.linkedAccounts,
  'account.travel.distanceKm': ({ account }) => account?.travel?.distanceKm,
  'account.travel.speedKmh': ({ account }) => account?.travel?.speedKmh,
  'account.travel.impossible': ({ account }) => account?.travel?.impossible,
  'updateInfo.userId': ({ updateInfo }) => updateInfo?.userId,
  'updateInfo.phoneNumber': ({ updateInfo }) => updateInfo?.phoneNumber,
  'updateInfo.phoneInputType': ({ updateInfo }) => updateInfo?.phoneInputType,
  'updateInfo.otpInputType': ({ updateInfo }) => updateInfo?.otpInputType,
  'updateInfo.userEventType': ({ updateInfo }) => updateInfo?.userEventType,
  'updateInfo.merchantId': ({ updateInfo }) => updateInfo?.merchantId,
}

function fieldReadersOf(list: readonly Signal[]): Readers {
  return Object.fromEntries(list.flatMap(({ report }) => (report?.rule ? [[report.field, report.rule.read]] : [])))
}

function signalReadersOf(list: readonly Signal[]): Readers {
  const rules = list.flatMap(({ secureInfo }) => Object.entries(secureInfo?.rules ?? {}))
  return Object.fromEntries(rules.map(([path, { read }]) => [`signals.${path}`, read]))
}

/** Readers by path, in the order of the vocabulary. paths.test.ts checks that each reads its own path. */
export const readersOf = (list: readonly Signal[]): Readers => ({
  ...sessionReaders,
  ...fieldReadersOf(list),
  ...deviceReaders,
  ...decisionReaders,
  ...signalReadersOf(list),
  ...otherReaders,
})

export const readers = readersOf(signals)

type Keyed = (input: RuleInput) => Readonly<Record<string, unknown>> | undefined

/** The parts whose keys the integrator chooses. */
export const openPartReaders: Readonly<Record<string, Keyed>> = {
  'updateInfo.additionalInput': ({ updateInfo }) => updateInfo?.additionalInput,
  params: ({ params }) => params,
}
