import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { selfSignedCertificate } from '../../../upstream/testing/self-signed-certificate.ts'
import { DeliveryFailed, type MessageChannel } from '../channel.ts'
import { textOf } from './message-settings.ts'
import { smtp } from './smtp.ts'
import { otp, otpMessage, soon, testResources } from './testing.ts'

interface MailServer {
  port: number
  mails: { to: string[]; source: string }[]
}

/** A real SMTP server on loopback. */
async function startMailServer(t: TestContext, options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: MailServer['mails'] = []
  const server = new SMTPServer({
    authOptional: true,
    closeTimeout: 1,
    hideSTARTTLS: options.key === undefined,
    disabledCommands: ['AUTH'],
    onData(stream, session, done) {
      let source = ''
      stream.setEncoding('utf8')
      stream.on('data', (text: string) => {
        source += text
      })
      stream.on('end', () => {
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), source })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  t.after(() => new Promise<void>((closed) => server.close(() => closed())))
  return { port: (server.server.address() as AddressInfo).port, mails }
}

const address = 'ada@shop.example'
const mail = () => otpMessage({ to: address, app: 'Shop <&>' })

function channelTo(t: TestContext, port: number, changes: object = {}, environment = {}) {
  const resources = testResources({ PASSWORD: 'mail-secret', ...environment })
  const config = {
    type: 'smtp' as const,
    host: '127.0.0.1',
    port,
    tls: 'none' as const,
    from: 'Shop <no-reply@shop.example>',
    timeoutMs: 30_000,
  }
  const channel = smtp.create('mail', { ...config, ...changes }, resources) as MessageChannel
  t.after(() => channel.close!())
  return { channel, lines: resources.lines }
}

const reasonIs = (reason: string) => (error: unknown) => error instanceof DeliveryFailed && error.reason === reason

test('sends an email as text and HTML, with the app name escaped', async (t) => {
  const server = await startMailServer(t)
  const { channel, lines } = channelTo(t, server.port)
  await channel.deliver(mail(), soon())
  const [{ to, source }] = server.mails as [MailServer['mails'][0]]
  assert.deepEqual(to, [address])
  assert.match(source, /^From: Shop <no-reply@shop\.example>/m)
  assert.match(source, /^Subject: Sign in to Shop <&>/m)
  assert.match(source, /multipart\/alternative/)
  const unfolded = source.replaceAll('=\r\n', '')
  assert.ok(unfolded.includes(otp) && unfolded.includes('Shop &#60;&#38;&#62;'), unfolded)
  for (const secret of [otp, address]) assert.ok(!lines.join().includes(secret))
})

test('requires STARTTLS, checks the certificate authority, and signs in with the user', async (t) => {
  const { certificate, key } = selfSignedCertificate('mail')
  const users: string[] = []
  const secured = await startMailServer(t, {
    key,
    cert: certificate,
    disabledCommands: [],
    authOptional: false,
    onAuth({ username, password }, _session, done) {
      users.push(username!)
      if (password === 'mail-secret') done(null, { user: username! })
      else done(new Error('no'))
    },
  })
  const tls = { tls: 'starttls', ca: { env: 'CA' }, user: 'ringfence', password: { env: 'PASSWORD' } }
  const { channel } = channelTo(t, secured.port, tls, { CA: certificate })
  await channel.deliver(mail(), soon())
  assert.deepEqual([users, secured.mails.length], [['ringfence'], 1])

  const { channel: wrong } = channelTo(t, secured.port, tls, { CA: certificate, PASSWORD: 'other' })
  await assert.rejects(wrong.deliver(mail(), soon()), reasonIs('rejected'))
  const { channel: wary } = channelTo(t, secured.port, { tls: 'starttls' })
  await assert.rejects(wary.deliver(mail(), soon()), DeliveryFailed)
  const plain = await startMailServer(t)
  const { channel: insisting } = channelTo(t, plain.port, { tls: 'starttls' })
  await assert.rejects(insisting.deliver(mail(), soon()), DeliveryFailed)
  assert.deepEqual([plain.mails.length, secured.mails.length], [0, 1])
})

test('a server that refuses the recipient, asks to try later, is silent or is gone gives a clear error', async (t) => {
  let code = 550
  const server = await startMailServer(t, {
    onRcptTo(_address, _session, done) {
      done(Object.assign(new Error(`no ${address}`), { responseCode: code }))
    },
  })
  const { channel, lines } = channelTo(t, server.port)
  await assert.rejects(channel.deliver(mail(), soon()), reasonIs('rejected'))
  code = 451
  await assert.rejects(channel.deliver(mail(), soon()), (error) => {
    assert.ok(!String(error).includes(address))
    return reasonIs('overloaded')(error)
  })
  assert.ok(!lines.join().includes(address))

  const silent = createServer((socket) => socket.on('error', () => {}))
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  t.after(() => silent.close())
  const { port } = silent.address() as AddressInfo
  await assert.rejects(channelTo(t, port).channel.deliver(mail(), AbortSignal.timeout(50)), reasonIs('timeout'))
  await assert.rejects(channelTo(t, port, { timeoutMs: 100 }).channel.deliver(mail(), soon()), reasonIs('timeout'))
  await assert.rejects(channelTo(t, 1).channel.deliver(mail(), soon()), reasonIs('unreachable'))
})

test('refuses a configuration that would send in clear text or has incomplete credentials', () => {
  const config = { type: 'smtp' as const, host: 'mail.example', from: 'a@b.example' }
  assert.throws(
    () => smtp.create('mail', { ...config, tls: 'none' }, testResources()),
    /only for a server on this machine/,
  )
  assert.throws(() => smtp.create('mail', { ...config, user: 'x' }, testResources()), /belong together/)
})

test('refuses a custom text with an unknown placeholder', () => {
  const config = { type: 'smtp' as const, host: 'mail.example', from: 'a@b.example' }
  for (const [key, text, known] of [
    ['otpText', '{otp} for {application}', 'otp'],
    ['linkText', '{link} for {application}', 'link'],
  ] as const) {
    const message = new RegExp(`${key}: {application} is not a placeholder; use {app}, .*{${known}}`)
    assert.throws(() => smtp.create('mail', { ...config, [key]: text }, testResources()), message)
  }
  smtp.create('mail', { ...config, otpText: '{otp} {app} {minutes} {host}' }, testResources()).close?.()
  // A sign-in of an iOS or Android app has no host.
  assert.equal(textOf({ otpText: '{otp}{host}' }, otpMessage()), otp)
})
