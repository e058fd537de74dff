// Which parts of the library `smpp` do we use? The library has no types.

declare module 'smpp' {
  import type { EventEmitter } from 'node:events'
  import type { Server as NetServer, Socket } from 'node:net'

  export interface Pdu {
    command: string
    command_status: number
    sequence_number: number
    esm_class?: number
    data_coding?: number
    source_addr?: string
    destination_addr?: string
    system_id?: string
    password?: string
    short_message?: { message?: string | Buffer; udh?: Buffer[] }
    receipted_message_id?: string
    message_state?: number
    message_id?: string
    registered_delivery?: number
    isResponse(): boolean
    response(options?: Record<string, unknown>): Pdu
  }

  type Answered = (pdu: Pdu) => void

  export class Session extends EventEmitter {
    readonly socket: Socket
    /** False when the connection cannot be written to. */
    send(pdu: Pdu, answered?: Answered): boolean
    bind_transceiver(fields: Record<string, unknown>, answered: Answered): boolean
    submit_sm(fields: Record<string, unknown>, answered: Answered): boolean
    deliver_sm(fields: Record<string, unknown>, answered?: Answered): boolean
    enquire_link(fields: Record<string, unknown>, answered: Answered): boolean
    unbind(answered?: Answered): boolean
    close(): void
    destroy(): void
  }

  export interface Server extends NetServer {
    readonly sessions: Session[]
  }

  const smpp: {
    connect(options: Record<string, unknown>): Session
    createServer(options: Record<string, unknown>, listener: (session: Session) => void): Server
    encodings: Record<'ASCII' | 'UCS2', { match(text: string): boolean; encode(text: string): Buffer }>
    /** Command statuses by name, ESME_… */
    errors: Record<string, number>
  }
  export default smpp
}
