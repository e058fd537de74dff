// Can a stranger pump messages, learn what an operator said, or lead a person to another page?

import { endpoints } from '@ringfence/contract'
import { email } from '../../../../server/src/sign-in/authentication/testing/sign-in-service.ts'
import { sdkClient, shopOrigin } from '../../../../server/src/testing/sdk-client.ts'
import type { TestAnswer } from '../../../../server/src/testing/test-service.ts'
import type { Abuse, AbuseStage } from './abuse.ts'

const numberOf = (ending: number) => ({ type: 'MOBILE', value: `91702014${ending}` }) as const

const resendPumping: Abuse = {
  name: 'messages beyond the limit of a range, by resends',
  options: () => ({
    settings: { newNumbersPerRangeHour: 4, messagesPerRecipientHour: 1000, messagesPerRecipientDay: 1000 },
  }),
  async run({ service, refused, allowed }) {
    const sent = () => service.parts.signIn.outbox.messages().length
    for (let number = 0; number < 4; number++) {
      const { status, body } = await service.start({ identity: numberOf(1700 + number) })
      allowed(status === 200 || sent() >= 4, () => `a start is answered ${status} after ${sent()} messages`)
      for (let resend = 0; resend < 3 && status === 200; resend++) {
        service.clock.advance({ seconds: 31 })
        const before = sent()
        await service.resend(body.transactionId)
        refused(sent() === before || before < 4, () => `message ${sent()} of a range that may have 4`)
      }
    }
  },
}

const addressPumping: Abuse = {
  name: 'messages beyond the limit of an IPv6 network, from its addresses',
  options: () => ({ settings: { messagesPerAddressHour: 3 } }),
  async run({ service, refused, allowed }) {
    const startFrom = async (address: string, ending: number) => {
      const body = { channel: 'OTP', identity: numberOf(ending) }
      return (await service.client.post(endpoints.signInStart.path, body, { 'x-forwarded-for': address })).status
    }
    for (let index = 0; index < 12; index++) {
      const status = await startFrom(`2001:db8::${index + 1}`, 1700 + index)
      if (index < 3) allowed(status === 200, () => `start ${index + 1} is answered ${status}`)
      else refused(status === 429, () => `message ${index + 1} from one network is answered ${status}`)
    }
    const elsewhere = await startFrom('2001:db8:0:1::1', 1750)
    allowed(elsewhere === 200, () => `another network is answered ${elsewhere}`)
  },
}

const spellings: Abuse = {
  name: 'messages beyond the limit of a recipient, by other spellings of it',
  options: () => ({ settings: { messagesPerRecipientHour: 2 } }),
  async run({ service, refused, allowed }) {
    const sent = () => service.parts.signIn.outbox.messages().length
    for (const [type, plain, others] of spelt) {
      const before = sent()
      await service.start({ identity: { type, value: plain } })
      allowed(sent() === before + 1, () => `${plain} gets no message`)
      for (const value of others) {
        await service.start({ identity: { type, value } })
        refused(sent() <= before + 2, () => `${value} is message ${sent() - before} of ${plain}, which may have 2`)
      }
    }
    const { status } = await service.start({ identity: { type: 'EMAIL', value: 'a.d.a@shop.example' } })
    allowed(status === 200, () => `another address is answered ${status}`)
  },
}

const spelt = [
  [
    'EMAIL',
    'ada@gmail.com',
    ['ADA@Gmail.com', 'ada+1@gmail.com', 'ada+a+b@gmail.com', 'a.d.a@gmail.com', 'a.da@googlemail.com'],
  ],
  ['EMAIL', 'ada@shop.example', ['ada+1@shop.example', 'ada+2@shop.example', 'Ada@SHOP.example', 'ada+@shop.example']],
  [
    'MOBILE',
    '917020141726',
    ['+917020141726', '00917020141726', '9107020141726', '91 7020141726', '917020141726 ', '\u{ff19}17020141726'],
  ],
  ['MOBILE', '525512345678', ['5215512345678', '52015512345678', '520445512345678']],
] as const

const gateOracle: Abuse = {
  name: 'learning from a sign-in whether a SIM was swapped',
  options: () => ({ app: { gate: { simSwap: { onFound: 'refuse' } } }, settings: { messagesPerRecipientHour: 3 } }),
  async run(stage) {
    const ordinary = await conversation(stage, '917020141726')
    stage.allowed(
      stage.service.parts.signIn.outbox.messages().length > 0,
      () => 'an ordinary number receives no message',
    )
    const before = stage.service.parts.signIn.outbox.messages().length
    const swapped = await conversation(stage, '61491570110')
    stage.refused(
      stage.service.parts.signIn.outbox.messages().length === before,
      () => 'the swapped number receives a code',
    )
    for (const [index, shape] of ordinary.entries()) {
      stage.refused(shape === swapped[index], () => `step ${index + 1}: ${shape} and ${swapped[index]}`)
    }
  },
}

const checkTime: Abuse = {
  name: 'learning from a sign-in when somebody checked a number',
  options: () => ({ app: { gate: { simSwap: { onFound: 'refuse' } } }, settings: { simSwapReuseSeconds: 3600 } }),
  async run({ service, refused, allowed }) {
    for (const value of ['917020141726', '61491570110']) {
      const ofBackend = () => service.post(endpoints.simSwapCheck.path, { phoneNumber: value })
      let age: string | null = null
      for (const giveUpAt = performance.now() + 60_000; age === null && performance.now() < giveUpAt; )
        age = (await ofBackend()).headers.get('age')
      allowed(age !== null, () => 'the answer to the backend is not stored')
      service.clock.advance({ seconds: 60 })
      const client = await sdkClient(service, { app: service.app })
      const { status, headers } = await service.start({ identity: { type: 'MOBILE', value } }, client)
      allowed(status === 200, () => `the start is answered ${status}`)
      refused(!headers.has('age'), () => `a stranger learns that ${value} was checked ${headers.get('age')} s ago`)
    }
  },
}

/** Everything that a page can ask about a sign-in, without what differs for every sign-in. */
async function conversation({ service }: AbuseStage, value: string): Promise<string[]> {
  const client = await sdkClient(service, { app: service.app })
  const identity = { type: 'MOBILE', value }
  const start = () => service.start({ identity }, client)
  const answers = [await start()]
  const { transactionId } = answers[0]!.body
  answers.push(await start(), await service.status(transactionId, client), await service.resend(transactionId, client))
  for (const proof of [{}, { code: 'x' }, { otp: '12' }])
    answers.push(await service.verify(transactionId, proof, client))
  service.clock.advance({ seconds: 31 })
  answers.push(await service.resend(transactionId, client), await service.status(transactionId, client))
  const otp = service.otp() === '000000' ? '111111' : '000000'
  for (let guess = 0; guess < 6; guess++) answers.push(await service.verify(transactionId, { otp }, client))
  for (let again = 0; again < 4; again++) {
    service.clock.advance({ seconds: 31 })
    answers.push(await start())
  }
  return answers.map(shapeOf)
}

const ownOfEach = ['transactionId', 'expiresAt', 'requestId']

function shapeOf({ status, headers, body }: TestAnswer): string {
  const masked = Object.entries(body as object).map(([name, value]) => [
    name,
    ownOfEach.includes(name) ? String(value).length : value,
  ])
  return JSON.stringify([status, [...headers.keys()].sort(), masked])
}

const redirects: Abuse = {
  name: 'redirect URLs that differ by one character',
  options: () => ({ app: { redirectUrls: [page] } }),
  async run({ service, refused, allowed }) {
    const start = (redirectUrl: string) => service.start({ channel: 'MAGIC_LINK', identity: email, redirectUrl })
    for (const wrong of variantsOf(page)) {
      const { status, body } = await start(wrong)
      refused(status === 400 && body.errorCode === '7102', () => `${JSON.stringify(wrong)} is answered ${status}`)
    }
    const { status } = await start(page)
    allowed(status === 200, () => `the listed URL is answered ${status}`)
  },
}

const page = `${shopOrigin}/signed-in?cart=7`

function variantsOf(text: string): Set<string> {
  const variants = new Set([`${text}#`, ` ${text}`, `${text} `, `${text}\u0000`, text.replace('https:', 'http:')])
  for (let at = 0; at < text.length; at++) {
    const [head, character, tail] = [text.slice(0, at), text[at]!, text.slice(at + 1)]
    const other = character === character.toUpperCase() ? character.toLowerCase() : character.toUpperCase()
    for (const instead of ['', other, `${character}.`, `${character}/`, `@${character}`, encoded(character)])
      variants.add(head + instead + tail)
  }
  variants.delete(text)
  return variants
}

const encoded = (character: string) => `%${character.charCodeAt(0).toString(16)}`

export const abuseOfSignIns: readonly Abuse[] = [
  resendPumping,
  addressPumping,
  spellings,
  gateOracle,
  checkTime,
  redirects,
]
