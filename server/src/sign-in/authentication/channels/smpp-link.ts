// How does a bind to an SMSC stay open? It is watched with enquire_link and reopened when it breaks (SMPP 3.4).

import type { Logger } from 'pino'
import smpp, { type Pdu, type Session } from 'smpp'
import { before } from '../../../upstream/deadline.ts'
import { DeliveryFailed, deliveryTooLate } from '../channel.ts'

export interface SmppLinkOptions {
  name: string
  host: string
  port: number
  /** TLS options. Undefined: no TLS. */
  tls: { ca?: string } | undefined
  systemId: string
  password: string
  systemType: string
  /** For connecting, for binding and for each answer. */
  timeoutMs: number
  enquireLinkMs: number
  log: Logger
  /** Called for each delivery receipt. */
  onReceipt(pdu: Pdu): void
}

export interface SmppLink {
  /** The answer to a submit_sm, with any status. Throws a DeliveryFailed when none arrives in time. */
  submit(fields: Record<string, unknown>, deadline: AbortSignal): Promise<Pdu>
  close(): Promise<void>
}

/** Waits between attempts to reconnect. A message that is to be sent does not wait for them. */
const reconnectMs = [1000, 2000, 5000, 10_000, 30_000]

export function smppLink(options: SmppLinkOptions): SmppLink {
  const { name, log, timeoutMs, enquireLinkMs } = options
  let bound: Promise<Session> | undefined
  let closed = false
  let attempts = 0
  let retry: NodeJS.Timeout | undefined

  function bind(): Promise<Session> {
    if (closed) return Promise.reject(new DeliveryFailed('unreachable', 'the service is stopping'))
    clearTimeout(retry)
    bound ??= bindOnce(options).then(
      (session) => {
        attempts = 0
        log.info({ channel: name }, 'bound to the SMSC')
        watch(session)
        return session
      },
      (error) => {
        bound = undefined
        log.warn({ channel: name, err: error }, 'could not bind to the SMSC')
        bindLater()
        throw error
      },
    )
    return bound
  }

  function bindLater(): void {
    if (closed) return
    const waitMs = reconnectMs[Math.min(attempts++, reconnectMs.length - 1)]!
    clearTimeout(retry)
    retry = setTimeout(() => bind().catch(() => {}), waitMs)
    retry.unref()
  }

  function watch(session: Session): void {
    const enquire = setInterval(() => {
      request(session, timeoutMs, (answered) => session.enquire_link({}, answered)).catch(() => session.destroy())
    }, enquireLinkMs)
    enquire.unref()
    session.on('enquire_link', (pdu: Pdu) => session.send(pdu.response()))
    session.on('unbind', (pdu: Pdu) => {
      session.send(pdu.response())
      session.close()
    })
    session.on('deliver_sm', (pdu: Pdu) => {
      session.send(pdu.response())
      options.onReceipt(pdu)
    })
    session.once('close', () => {
      clearInterval(enquire)
      bound = undefined
      if (closed) return
      log.warn({ channel: name }, 'the bind to the SMSC broke; reconnecting')
      bindLater()
    })
  }

  return {
    async submit(fields, deadline) {
      const session = await before(deadline, bind(), deliveryTooLate)
      return request(session, timeoutMs, (answered) => session.submit_sm(fields, answered), deadline)
    },
    async close() {
      closed = true
      clearTimeout(retry)
      const session = await bound?.catch(() => undefined)
      if (!session) return
      await request(session, Math.min(timeoutMs, 1000), (answered) => session.unbind(answered)).catch(() => {})
      session.destroy()
    },
  }
}

async function bindOnce({ host, port, tls, systemId, password, systemType, timeoutMs }: SmppLinkOptions) {
  const session = smpp.connect({ host, port, ...(tls && { ...tls, tls: true }) })
  // An error event without a listener would end the process.
  session.on('error', () => session.destroy())
  try {
    await waitForEvent(session, tls ? 'secureConnect' : 'connect', timeoutMs)
    const fields = { system_id: systemId, password, system_type: systemType, interface_version: 0x34 }
    const { command_status } = await request(session, timeoutMs, (answered) =>
      session.bind_transceiver(fields, answered),
    )
    if (command_status !== 0)
      throw new DeliveryFailed('rejected', `the bind was refused: ${statusName(command_status)}`)
    return session
  } catch (error) {
    session.destroy()
    throw error
  }
}

/**
 * Sends one request and waits for its answer. Throws a DeliveryFailed at the timeout, at the
 * deadline, and when the connection breaks.
 */
async function request(
  session: Session,
  timeoutMs: number,
  send: (answered: (pdu: Pdu) => void) => boolean,
  deadline?: AbortSignal,
): Promise<Pdu> {
  const { promise, resolve, reject } = Promise.withResolvers<Pdu>()
  const broke = () => reject(new DeliveryFailed('unreachable', 'the connection broke'))
  const late = () => reject(new DeliveryFailed('timeout', 'no answer in time'))
  const timer = setTimeout(late, timeoutMs)
  session.once('close', broke)
  deadline?.addEventListener('abort', late, { once: true })
  try {
    if (deadline?.aborted) late()
    else if (!send(resolve)) broke()
    return await promise
  } finally {
    clearTimeout(timer)
    session.off('close', broke)
    deadline?.removeEventListener('abort', late)
  }
}

async function waitForEvent(session: Session, event: string, timeoutMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const broke = () => reject(new DeliveryFailed('unreachable', 'no connection'))
  const timer = setTimeout(() => reject(new DeliveryFailed('timeout', 'no connection in time')), timeoutMs)
  session.once(event, resolve)
  session.once('close', broke)
  try {
    await promise
  } finally {
    clearTimeout(timer)
    session.off('close', broke)
  }
}

/** `ESME_RTHROTTLED`, or `status 123` when the library has no name for it. */
export const statusName = (status: number) =>
  Object.entries(smpp.errors).find(([, code]) => code === status)?.[0] ?? `status ${status}`
