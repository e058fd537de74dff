// Which waiting request is next? Classes and flows take turns by their work, so that one caller cannot starve another.

/** A request that waits. One of the two is called, once. */
export interface Waiting {
  start(): void
  refuse(): void
}

/** A caller that shares with the others of its class: a tenant, or an IP address. */
export interface FlowName {
  readonly trafficClass: TrafficClass
  readonly caller: string
}

/** How many turns each class gets in one round, while it has requests that wait. */
const turnsOf = { checks: 3, backends: 3, sdk: 3, pages: 1, strangers: 1 } as const
export type TrafficClass = keyof typeof turnsOf

/** One round, with the turns of each class spread. */
const round = Array.from({ length: Math.max(...Object.values(turnsOf)) }, (_, turn) =>
  (Object.keys(turnsOf) as TrafficClass[]).filter((name) => turnsOf[name] > turn),
).flat()

/** A place in two lists: of its flow, and of all flows. Both are in the order of arrival. */
export interface Place {
  readonly waiting: Waiting
  readonly since: number
  readonly flow: Flow
  newerInFlow: Place | undefined
  olderInFlow: Place | undefined
  newer: Place | undefined
  older: Place | undefined
  left: boolean
}

interface Flow {
  readonly name: FlowName
  oldest: Place | undefined
  newest: Place | undefined
  /** Its oldest request waited too long. Until all of them have left, the newest is first. */
  late: boolean
}

export interface LineLimits {
  /** A flow is late when its oldest request has waited for longer than this. */
  patienceMs: number
  /** A request of a late flow is overdue when it has waited for longer than this. */
  lateMs: number
  /** No flow becomes late while fewer than this wait in all. */
  few(): number
}

/** What is charged in a class while requests wait. */
interface Debts {
  /** Of the class. */
  ms: number
  /** Of its flows with one: they let the others go first until it is paid by turns. */
  readonly ofFlows: Map<string, number>
}

/** Work that is remembered of a flow or class. */
const mostDebtMs = 2_000
const rememberedDebts = 1_000

/** Deficit round robin: who costs more than a turn gets fewer turns. */
export class WaitingLine {
  readonly #flows = new Map<TrafficClass, Map<string, Flow>>(round.map((name) => [name, new Map()]))
  readonly #debts = new Map<TrafficClass, Debts>(round.map((name) => [name, { ms: 0, ofFlows: new Map() }]))
  readonly #limits: LineLimits
  #oldest: Place | undefined
  #newest: Place | undefined
  #turn = 0
  #size = 0

  constructor(limits: LineLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#size
  }

  add(waiting: Waiting, name: FlowName, since: number): Place {
    const flow = this.#flowOf(name)
    const place: Place = {
      waiting,
      since,
      flow,
      newerInFlow: undefined,
      olderInFlow: flow.newest,
      newer: undefined,
      older: this.#newest,
      left: false,
    }
    if (flow.newest) flow.newest.newerInFlow = place
    else flow.oldest = place
    flow.newest = place
    if (this.#newest) this.#newest.newer = place
    else this.#oldest = place
    this.#newest = place
    this.#size++
    return place
  }

  /** A request took so long beyond the time of a turn. Nothing is remembered while nobody waits. */
  charge({ trafficClass, caller }: FlowName, ms: number): void {
    if (this.#size === 0) return
    const debts = this.#debts.get(trafficClass)!
    debts.ms = Math.min(debts.ms + ms, mostDebtMs)
    const before = debts.ofFlows.get(caller) ?? 0
    debts.ofFlows.delete(caller)
    debts.ofFlows.set(caller, Math.min(before + ms, mostDebtMs))
    if (debts.ofFlows.size > rememberedDebts) debts.ofFlows.delete(debts.ofFlows.keys().next().value!)
  }

  /** What a flow still has to pay. */
  debtOf({ trafficClass, caller }: FlowName): number {
    return this.#debts.get(trafficClass)!.ofFlows.get(caller) ?? 0
  }

  /**
   * Takes the next request to start: the oldest of its flow, or the newest while the flow is late.
   * @param turnMs what a turn is worth: the time of an average request
   */
  next(now: number, turnMs: number): Place | undefined {
    if (this.#size === 0) return undefined
    for (;;) {
      const trafficClass = round[this.#turn++ % round.length]!
      const flows = this.#flows.get(trafficClass)!
      if (flows.size === 0) continue
      const debts = this.#debts.get(trafficClass)!
      if (debts.ms > 0 && this.#othersWait(flows)) {
        debts.ms -= turnMs
        continue
      }
      return this.#nextOf(flows, debts.ofFlows, now, turnMs)
    }
  }

  #othersWait(flows: Map<string, Flow>): boolean {
    for (const others of this.#flows.values()) if (others !== flows && others.size > 0) return true
    return false
  }

  #nextOf(flows: Map<string, Flow>, debts: Map<string, number>, now: number, turnMs: number): Place {
    let found: Flow | undefined
    let leastDebt = Number.POSITIVE_INFINITY
    for (const flow of debts.size === 0 ? [firstOf(flows)] : [...flows.values()]) {
      const debt = debts.get(flow.name.caller) ?? 0
      if (debt < leastDebt) {
        found = flow
        leastDebt = debt
      }
      if (debt <= 0) break
      // It lets another one go first.
      pay(debts, flow.name.caller, debt - turnMs)
      goLast(flows, flow)
    }
    const flow = found!
    this.#judge(flow, now)
    const place = flow.late ? flow.newest! : flow.oldest!
    goLast(flows, flow) // behind the others of its class
    this.remove(place)
    return place
  }

  /** Takes the oldest request if it is overdue. */
  overdue(now: number): Place | undefined {
    const place = this.#oldest
    if (!place) return undefined
    this.#judge(place.flow, now)
    if (!place.flow.late || now - place.since <= this.#limits.lateMs) return undefined
    this.remove(place)
    return place
  }

  /** Takes the oldest request. */
  takeOldest(): Place | undefined {
    const place = this.#oldest
    if (place) this.remove(place)
    return place
  }

  /** Without an effect for a place that has left the line. */
  remove(place: Place): void {
    if (place.left) return
    place.left = true
    this.#size--
    if (this.#size === 0) this.#forgive()
    const { flow, olderInFlow, newerInFlow, older, newer } = place
    if (newerInFlow) newerInFlow.olderInFlow = olderInFlow
    else flow.newest = olderInFlow
    if (olderInFlow) olderInFlow.newerInFlow = newerInFlow
    else flow.oldest = newerInFlow
    if (newer) newer.older = older
    else this.#newest = older
    if (older) older.newer = newer
    else this.#oldest = newer
    if (!flow.oldest) this.#flows.get(flow.name.trafficClass)!.delete(flow.name.caller)
  }

  /** Nobody waits: what was used until now was nobody else's. */
  #forgive(): void {
    for (const debts of this.#debts.values()) {
      debts.ms = 0
      debts.ofFlows.clear()
    }
  }

  #judge(flow: Flow, now: number): void {
    if (this.#size >= this.#limits.few() && now - flow.oldest!.since > this.#limits.patienceMs) flow.late = true
  }

  #flowOf(name: FlowName): Flow {
    const flows = this.#flows.get(name.trafficClass)!
    let flow = flows.get(name.caller)
    if (!flow) {
      flow = { name, oldest: undefined, newest: undefined, late: false }
      flows.set(name.caller, flow)
    }
    return flow
  }
}

const firstOf = (flows: Map<string, Flow>): Flow => flows.values().next().value!

function goLast(flows: Map<string, Flow>, flow: Flow): void {
  flows.delete(flow.name.caller)
  flows.set(flow.name.caller, flow)
}

function pay(debts: Map<string, number>, caller: string, left: number): void {
  if (left > 0) debts.set(caller, left)
  else debts.delete(caller)
}
