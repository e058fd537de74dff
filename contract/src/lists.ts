// Which values does a tenant allow, block or watch? Lists that rules read with inList("NAME", path). (beside the specification)

import Type, { type Static } from 'typebox'
import { closed, time } from './schema-parts.ts'

const printable = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$'

/** The limits of lists. */
export const listCaps = {
  lists: 100,
  entries: 2_000_000,
  /** Of one call. */
  entriesOfCall: 1_000,
  valueLength: 256,
  noteLength: 200,
} as const

export const listNamePattern = '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$'
export const ListName = Type.String({
  pattern: listNamePattern,
  description: 'Name of the list: letters, digits, - and _',
})

export const ListPurpose = Type.Enum(['allow', 'block', 'watch'], {
  description:
    'What the list is for. A decision whose rule fires with a value in a list to block or watch has a reason, which raises its score. What else happens, rules say',
})
export type ListPurpose = Static<typeof ListPurpose>

export const ListKind = Type.Enum(
  ['phoneNumber', 'userId', 'deviceId', 'ip', 'networkOperator', 'email', 'emailMailbox', 'emailDomain', 'text'],
  {
    description:
      'What its entries are. `ip` has IP addresses and CIDR ranges; `emailMailbox` has email addresses and ignores `+tag`, and the dots of Gmail; `text` has any texts of your params',
  },
)
export type ListKind = Static<typeof ListKind>

const Value = Type.String({ minLength: 1, maxLength: listCaps.valueLength, description: 'A value of the list’s kind' })
const Note = Type.String({ maxLength: listCaps.noteLength, pattern: printable, description: 'Why it is in the list' })
const By = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: printable,
  description: 'Who makes the change. Default: the name of the client',
})

export const List = Type.Object(
  {
    name: Type.String({ description: 'The name that rules use' }),
    kind: ListKind,
    purpose: ListPurpose,
    description: Type.Optional(Type.String()),
    entries: Type.Integer({ description: 'Number of entries; an expired one counts for up to two hours' }),
    createdAt: time('When the list was created'),
    createdBy: Type.String({ description: 'Who created it' }),
    changedAt: time('The last change of the list or of an entry'),
  },
  { $id: 'List', ...closed, description: 'A list of values' },
)
export type List = Static<typeof List>

export const ListEntry = Type.Object(
  {
    value: Type.String({ description: 'In the form in which it is compared' }),
    note: Type.Optional(Type.String()),
    addedAt: time('When it was added'),
    by: Type.String({ description: 'Who added it, or changed it last' }),
    expiresAt: Type.Optional(time('From then on it does not match; absent: it does not expire')),
    neverMatches: Type.Optional(
      Type.Literal(true, {
        description:
          'No value can match it: an earlier version stored it in a form that was replaced since. Remove it, then add the present form',
      }),
    ),
  },
  { $id: 'ListEntry', ...closed, description: 'A value of a list' },
)
export type ListEntry = Static<typeof ListEntry>

export const CreateListRequest = Type.Object(
  {
    name: ListName,
    kind: ListKind,
    purpose: ListPurpose,
    description: Type.Optional(
      Type.String({ maxLength: 500, pattern: printable, description: 'What the list is about' }),
    ),
    by: Type.Optional(By),
  },
  { $id: 'CreateListRequest' },
)
export type CreateListRequest = Static<typeof CreateListRequest>

export const DescribeListsRequest = Type.Object(
  { name: Type.Optional({ ...ListName, description: 'One list; without it, all lists' }) },
  { $id: 'DescribeListsRequest' },
)
export type DescribeListsRequest = Static<typeof DescribeListsRequest>

export const DescribedLists = Type.Object(
  { lists: Type.Array(List, { description: 'By name' }) },
  { $id: 'DescribedLists', ...closed, description: 'The lists' },
)
export type DescribedLists = Static<typeof DescribedLists>

export const DeleteListRequest = Type.Object({ name: ListName }, { $id: 'DeleteListRequest' })
export type DeleteListRequest = Static<typeof DeleteListRequest>

export const DeletedList = Type.Object(
  { deleted: Type.Boolean({ description: 'False when there was no such list' }) },
  { $id: 'DeletedList', ...closed, description: 'The list is deleted' },
)
export type DeletedList = Static<typeof DeletedList>

export const AddListEntriesRequest = Type.Object(
  {
    name: ListName,
    entries: Type.Array(
      Type.Object(
        {
          value: Value,
          note: Type.Optional(Note),
          expiresAt: Type.Optional(
            Type.String({ format: 'date-time', description: 'RFC 3339, in the future; full seconds count' }),
          ),
        },
        closed,
      ),
      { minItems: 1, maxItems: listCaps.entriesOfCall, description: 'One wrong entry refuses the call' },
    ),
    by: Type.Optional(By),
  },
  { $id: 'AddListEntriesRequest' },
)
export type AddListEntriesRequest = Static<typeof AddListEntriesRequest>

export const AddedListEntries = Type.Object(
  {
    added: Type.Integer({ description: 'Entries that are new' }),
    changed: Type.Integer({ description: 'Entries that existed with another note or expiry' }),
    unchanged: Type.Integer({ description: 'Entries that existed like this, and repetitions within the call' }),
  },
  { $id: 'AddedListEntries', ...closed, description: 'The entries are stored' },
)
export type AddedListEntries = Static<typeof AddedListEntries>

export const RemoveListEntriesRequest = Type.Object(
  { name: ListName, values: Type.Array(Value, { minItems: 1, maxItems: listCaps.entriesOfCall }) },
  { $id: 'RemoveListEntriesRequest' },
)
export type RemoveListEntriesRequest = Static<typeof RemoveListEntriesRequest>

export const RemovedListEntries = Type.Object(
  { removed: Type.Integer({ description: 'Entries that were in the list; a repeated call answers 0' }) },
  { $id: 'RemovedListEntries', ...closed, description: 'The values are not in the list any more' },
)
export type RemovedListEntries = Static<typeof RemovedListEntries>

export const LookUpListRequest = Type.Object({ name: ListName, value: Value }, { $id: 'LookUpListRequest' })
export type LookUpListRequest = Static<typeof LookUpListRequest>

export const ListLookUp = Type.Object(
  {
    inList: Type.Boolean({ description: 'What inList says in a rule' }),
    entries: Type.Array(ListEntry, {
      description: 'The entries that match: several for an IP address within several ranges, the smallest range first',
    }),
  },
  { $id: 'ListLookUp', ...closed, description: 'Whether a value is in a list' },
)
export type ListLookUp = Static<typeof ListLookUp>

export const ReadListRequest = Type.Object(
  {
    name: ListName,
    cursor: Type.Optional(Type.String({ maxLength: 64, description: '`next` of the previous page' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: 'Entries of a page. Default: 100' })),
  },
  { $id: 'ReadListRequest' },
)
export type ReadListRequest = Static<typeof ReadListRequest>

export const ListPage = Type.Object(
  {
    entries: Type.Array(ListEntry, { description: 'Last changed last; entries that expired are left out' }),
    next: Type.Optional(Type.String({ description: 'Cursor of the next page; absent on the last page' })),
  },
  { $id: 'ListPage', ...closed, description: 'A page of entries. An entry that changes meanwhile comes again' },
)
export type ListPage = Static<typeof ListPage>
