// Which metrics exist? One record each; docs/reference/metrics.md is made from them.

/** From a cached answer to a deadline, in seconds. */
const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const storeBuckets = [0.0005, ...requestBuckets]
const upstreamBuckets = requestBuckets.slice(2)

interface Described {
  /** In Prometheus, without the prefix `ringfence_`. */
  readonly name: string
  readonly help: string
  /** A label never has personal data, and few values: see `mostSeries` in metrics.ts. */
  readonly labels: readonly string[]
  /** What a person who is on call reads from it. */
  readonly read: string
}

interface CounterRecord extends Described {
  readonly type: 'counter'
}

export interface GaugeRecord extends Described {
  readonly type: 'gauge'
  /** What several processes of one service report together: their sum, or the largest where all see the same. */
  readonly ofWorkers: 'sum' | 'max'
}

interface HistogramRecord extends Described {
  readonly type: 'histogram'
  /** Upper bounds in seconds. */
  readonly buckets: readonly number[]
}

export type MetricRecord = CounterRecord | GaugeRecord | HistogramRecord

export const catalogue = {
  request: {
    type: 'histogram',
    name: 'http_request_seconds',
    help: 'Time from the arrival of a request to its response',
    labels: ['route', 'status'],
    buckets: requestBuckets,
    read: 'Traffic, errors and latency of each endpoint. `route` is `none` for a path that does not exist; status 499: the caller closed the connection first.',
  },
  requestsInFlight: {
    type: 'gauge',
    name: 'http_requests_in_flight',
    ofWorkers: 'sum',
    help: 'Requests that are being answered',
    labels: [],
    read: 'Rises when the store or an operator is slow.',
  },
  requestsWaiting: {
    type: 'gauge',
    name: 'http_requests_waiting',
    ofWorkers: 'sum',
    help: 'Requests that have arrived and wait for their start',
    labels: [],
    read: 'More than 64 at several scrapes: more requests arrive than the process can serve.',
  },
  refusals: {
    type: 'counter',
    name: 'refusals_total',
    help: 'Requests that were refused, by the name of the failure',
    labels: ['failure'],
    read: 'Names are those of [errors](errors.md). Many `credentialsInvalid`: a wrong secret, or somebody guesses. Many `rateLimited`: a client that loops.',
  },
  decisions: {
    type: 'counter',
    name: 'decisions_total',
    help: 'Decisions, by their action',
    labels: ['action'],
    read: 'A sudden rise of BLOCK or CHALLENGE: an attack, or a new rule that is too strict.',
  },
  decisionParts: {
    type: 'counter',
    name: 'decision_parts_missing_total',
    help: 'Parts of decisions that are missing, and why',
    labels: ['part', 'why'],
    read: '`operator-timeout` and `deadline`: decisions are made without this part. `unknown` and `other-user`: pages send tokens or reports that are not theirs.',
  },
  upstreamCall: {
    type: 'histogram',
    name: 'upstream_call_seconds',
    help: 'Duration of one attempt to call an upstream',
    labels: ['upstream', 'call', 'outcome'],
    buckets: upstreamBuckets,
    read: 'Operators, gateways and identity providers. `ok`, or why there was no answer: `timeout`, `unreachable`, `status`, `format`, `overloaded`. It works, but not for this number or person: `unsupported`, `window`, `rejected`.',
  },
  eventDeliveries: {
    type: 'counter',
    name: 'event_deliveries_total',
    help: 'Attempts to deliver an event to a webhook or stream, by the result',
    labels: ['result'],
    read: '`accepted`; `refused`, `redirected`, `timeout`, `unreachable`, `garbage`: it is attempted again; `key_unknown`: this server does not have the key of the event yet, attempted again; `unreadable`: the stored event is damaged, not delivered; `target`: its IP address is not allowed; `gone`: the webhook is disabled; `given_up`: after three days; `expired`: after `EVENT_DAYS`.',
  },
  eventsWaiting: {
    type: 'gauge',
    name: 'events_waiting',
    ofWorkers: 'max',
    help: 'Events that wait for a receiver, counted up to 100,000',
    labels: [],
    read: 'Rises while a receiver is down or paused. `ringfence webhooks list` says which one.',
  },
  eventsWaitingSeconds: {
    type: 'gauge',
    name: 'events_waiting_seconds',
    ofWorkers: 'max',
    help: 'Age of the oldest event that waits for a receiver',
    labels: [],
    read: 'Seconds while all receivers work. Over an hour: one of them fails or is paused.',
  },
  upstreamCircuitOpen: {
    type: 'gauge',
    name: 'upstream_circuit_open',
    ofWorkers: 'max',
    help: '1 while the circuit of an upstream is open, so that no call is made',
    labels: ['upstream', 'service'],
    read: '1: most calls failed, and checks of this upstream fail at once. It tries again automatically.',
  },
  storeCall: {
    type: 'histogram',
    name: 'store_call_seconds',
    help: 'Time of one call to the store, with the wait for a connection',
    labels: ['call'],
    buckets: storeBuckets,
    read: 'A slow `query` is a busy store; only `batch` and `transaction` slow: its disk or its standby.',
  },
  storeUnavailable: {
    type: 'counter',
    name: 'store_unavailable_total',
    help: 'Calls for which the store was unavailable, by the reason',
    labels: ['reason'],
    read: '`connection`, `time` (no answer before the deadline), `queue`, `conflicts`, `resources` (disk or connections full), `read_only` (a standby), `schema` (too new for this server: replace it), `fault`. The log has the cause.',
  },
  storeConnections: {
    type: 'gauge',
    name: 'store_connections',
    ofWorkers: 'sum',
    help: 'Connections to PostgreSQL',
    labels: ['pool', 'state'],
    read: '`abandoned` ones run a statement that nobody waits for: writes that hang. All `in_use`: raise `DATABASE_READ_CONNECTIONS` or `DATABASE_WRITE_CONNECTIONS`.',
  },
  storeWaitingCalls: {
    type: 'gauge',
    name: 'store_waiting_calls',
    ofWorkers: 'sum',
    help: 'Calls that wait for a connection to PostgreSQL',
    labels: ['pool'],
    read: 'More than 0 for long: too few connections, or statements that hang.',
  },
  checks: {
    type: 'counter',
    name: 'checks_total',
    help: 'Telecom checks that reached an operator or a stored answer',
    labels: ['check', 'operator', 'result', 'source'],
    read: '`operator` is a name of `operators` in the configuration, `other` or `unknown`; `result` is `yes`, `no`, `unsupported`, `failed`, or `capped` (the tenant may not pay it today); `source` is `operator` or `stored`. The share of `yes` is your rate of swapped or forwarded numbers.',
  },
  checkCost: {
    type: 'counter',
    name: 'check_cost_micros_total',
    help: 'Prices of the requests that were sent for telecom checks, in millionths of the currency',
    labels: ['check', 'connector', 'currency'],
    read: 'What the checks cost, by `costs.prices` of the configuration. A reused answer costs nothing; a request that failed after it was sent counts.',
  },
  signInSteps: {
    type: 'counter',
    name: 'sign_in_steps_total',
    help: 'Steps of sign-ins that succeeded',
    labels: ['step', 'channel'],
    read: '`started`, `resent`, `returned` (from a link or an identity provider) and `completed`. Starts that nobody completes are lost messages or SMS pumping. What failed is in `refusals_total`.',
  },
  gateOutcomes: {
    type: 'counter',
    name: 'gate_outcomes_total',
    help: 'What the telecom gate decided about a number',
    labels: ['outcome'],
    read: '`record` lets the message go, `stepUp` asks for another way, `refuse` holds it back.',
  },
  messagesRefused: {
    type: 'counter',
    name: 'messages_refused_total',
    help: 'Messages that a limit refused, by the limit',
    labels: ['limit'],
    read: 'The cost guard at work. `range` and `country`: SMS pumping. `address`: one caller. `app`: raise the limit, or find the caller.',
  },
  recognitions: {
    type: 'counter',
    name: 'recognitions_total',
    help: 'Visits of devices, by how the device was recognised',
    labels: ['platform', 'by'],
    read: '`key`, `token`, `similarity`, or `none` for a new device. A rising share of `none` from one day to the next: an SDK that lost its storage, or a farm.',
  },
  unknownFacts: {
    type: 'counter',
    name: 'unknown_facts_total',
    help: 'Facts that this server does not know, and dropped',
    labels: ['platform'],
    read: 'A newer SDK than the server: upgrade the server. Thousands at once: somebody invents facts.',
  },
  reports: {
    type: 'counter',
    name: 'reports_total',
    help: 'Device reports, by the action of the live rules',
    labels: ['platform', 'action'],
    read: 'Your rate of WARN (with REVIEW and CHALLENGE) and BLOCK. A jump follows a new rule set or an attack.',
  },
  listLookUps: {
    type: 'counter',
    name: 'list_look_ups_total',
    help: 'Values that rules looked up in lists, by where the answer came from',
    labels: ['from'],
    read: '`store` for long: the lists do not fit into `LISTS_MEMORY_MB`, and each look-up is a read of the store.',
  },
  listsBytes: {
    type: 'gauge',
    name: 'lists_bytes',
    ofWorkers: 'sum',
    help: 'Memory of the lists that are read from memory',
    labels: [],
    read: 'About 25 bytes for each entry of the lists in use. Near `LISTS_MEMORY_MB`: raise it.',
  },
  rulesFired: {
    type: 'counter',
    name: 'rules_fired_total',
    help: 'Live rules that fired, by the id of the rule',
    labels: ['rule'],
    read: 'Which rule blocks, and which never fires.',
  },
  dataAge: {
    type: 'gauge',
    name: 'data_age_seconds',
    ofWorkers: 'max',
    help: 'Age of the data that checks and signals rest on',
    labels: ['data'],
    read: 'Run `ringfence data update` when an IP list (`ip-list NAME`) is older than two days. A `table NAME` is one of the dated tables, `revocations NAME` a status list of Android certificates.',
  },
  clockSkew: {
    type: 'gauge',
    name: 'clock_skew_seconds',
    ofWorkers: 'max',
    help: "How far the machine's clock is ahead of that of PostgreSQL",
    labels: [],
    read: 'Beyond 1 or −1: start NTP on this machine, or on that of PostgreSQL. Servers correct the difference, so nothing is lost meanwhile.',
  },
  maintenanceFailures: {
    type: 'counter',
    name: 'maintenance_failures_total',
    help: 'Rounds of maintenance that failed, by the task',
    labels: ['task'],
    read: 'Expired records stay when it rises, or signing keys are not renewed. The log has the cause.',
  },
  buildInfo: {
    type: 'gauge',
    name: 'build_info',
    ofWorkers: 'max',
    help: '1, with the version that runs',
    labels: ['version', 'node'],
    read: 'Which servers run which version during an upgrade.',
  },
} as const satisfies Record<string, MetricRecord>

export type Catalogue = typeof catalogue

export const nameInPrometheus = ({ name }: MetricRecord): string => `ringfence_${name}`
