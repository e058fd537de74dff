// What is an answer that does not end? A handler returns it, and writes to it once it is open.

export interface StreamedEvent {
  readonly id: string
  /** JSON on one line. */
  readonly data: string
}

/** Where a handler writes events while the caller reads them. */
export interface EventOutlet {
  /** Says to the caller that it misses nothing from here on. */
  begin(): void
  send(events: readonly StreamedEvent[]): void
  /** Resolves when the caller has read enough that more may be sent. */
  drained(): Promise<void>
  /** Ends the stream: the caller connects again, with the id of the last event. */
  end(): void
  /** Aborts when the stream has ended, whoever ended it. */
  readonly signal: AbortSignal
}

export class StreamAnswer {
  /** Takes its place, before the head of the response is sent, and may refuse. The function that it returns is called once, at the end. */
  readonly enter: () => () => void
  /** Called once the head of the response was sent. */
  readonly open: (outlet: EventOutlet) => Promise<void>

  constructor({ enter, open }: Pick<StreamAnswer, 'enter' | 'open'>) {
    this.enter = enter
    this.open = open
  }

  /** The same, with other data in each event. */
  changed(change: (data: string) => string): StreamAnswer {
    const open: StreamAnswer['open'] = (outlet) =>
      this.open({
        signal: outlet.signal,
        begin: () => outlet.begin(),
        end: () => outlet.end(),
        drained: () => outlet.drained(),
        send: (events) => outlet.send(events.map(({ id, data }) => ({ id, data: change(data) }))),
      })
    return new StreamAnswer({ enter: this.enter, open })
  }
}
