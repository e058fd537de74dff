// Which calls does a backend make to watch phone numbers?

import {
  DeletedWatch,
  DeleteWatchRequest,
  ListWatchesRequest,
  OperatorNotification,
  ReadWatchRequest,
  Watch,
  WatchPage,
  WatchRequest,
} from '../checks/watches.ts'
import { aboutConsent, type Endpoint, everyCall, everyClientCall, Nothing, refused } from './endpoint.ts'

const watches = {
  caller: 'client',
  scope: 'telecom',
  errorFormat: 'telecom',
  tag: 'Watches',
  accepted: 'Done',
} as const

const unnamed = {
  ...everyClientCall,
  400: refused('A field is wrong, or the body is not JSON', 'field-invalid', 'invalid-json'),
} as const
const numbered = {
  ...unnamed,
  400: refused('A field is wrong, or the body is not JSON', 'field-invalid', 'invalid-phone-number', 'invalid-json'),
} as const

export const watchEndpoints = {
  watchNumber: {
    ...watches,
    method: 'POST',
    path: '/v1/telecom/watches',
    summary: 'Watch a phone number',
    description:
      'Checks the number again and again, and sends the event `telecom.number_changed` when its SIM, phone, operator or subscriber changes. The first check is made within seconds and stores how things are. A number has one watch: another call for it adds checks and extends the watch.',
    request: WatchRequest,
    fieldFailures: { phoneNumber: 'invalidPhoneNumber' },
    answer: Watch,
    refusals: {
      ...numbered,
      400: refused(
        'A field is wrong, or the body is not JSON',
        'field-invalid',
        'invalid-phone-number',
        'invalid-json',
        ...aboutConsent,
      ),
      409: refused('The tenant watches as many numbers as it may', 'watches-limited'),
    },
  },
  readWatch: {
    ...watches,
    method: 'GET',
    path: '/v1/telecom/watches/{watchId}',
    summary: 'Read a watch',
    description: 'Returns a watch: when each check was made last, and how often it is made.',
    request: ReadWatchRequest,
    fieldFailures: { watchId: 'watchUnknown' },
    answer: Watch,
    refusals: { ...unnamed, 404: refused('There is no such watch of yours, or it has ended', 'watch-unknown') },
  },
  listWatches: {
    ...watches,
    method: 'POST',
    path: '/v1/telecom/watches/list',
    summary: 'List watches',
    description: 'Returns the watches of the tenant in pages, or the one of a number.',
    request: ListWatchesRequest,
    fieldFailures: { phoneNumber: 'invalidPhoneNumber' },
    answer: WatchPage,
    refusals: numbered,
  },
  deleteWatch: {
    ...watches,
    method: 'POST',
    path: '/v1/telecom/watches/delete',
    summary: 'Stop watching a number',
    description: 'Deletes a watch with what is stored of it. Repeating it is a success with deleted: false.',
    request: DeleteWatchRequest,
    answer: DeletedWatch,
    refusals: unnamed,
  },
  receiveNotification: {
    caller: 'anyone',
    errorFormat: 'telecom',
    tag: 'Watches',
    method: 'POST',
    path: '/v1/telecom/notifications/{sinkId}',
    summary: 'Receive an event of an operator',
    description:
      'For mobile operators: the sink of a CAMARA subscription to SIM swaps. The operator sends the bearer token of the subscription.',
    request: OperatorNotification,
    fieldFailures: { sinkId: 'notificationRefused' },
    answer: Nothing,
    accepted: 'The event is stored',
    refusals: {
      ...everyCall,
      400: refused('The event is not of this subscription, or is not a CloudEvent', 'field-invalid', 'invalid-json'),
      401: refused('Unknown sink, or a wrong token', 'notification-refused'),
    },
  },
} as const satisfies Record<string, Endpoint>
