// Who was seen with the device? Lines from it to accounts and numbers; the table below says the same in words.

import { useNavigate } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import type { ShownDevice } from '../../api/types.ts'
import { Badge } from '../../parts/badge.tsx'
import { Table } from '../../parts/table.tsx'
import { phoneText } from '../../parts/values/format.ts'
import { Time } from '../../parts/values/time.tsx'
import './device.css'

interface Node {
  readonly kind: 'account' | 'number'
  readonly name: string
  readonly isHint: boolean
  readonly isTrusted: boolean
  readonly firstSeenAt: string
  readonly lastSeenAt: string
}

/** More would be a ball of wool; the table has them all. */
const mostDrawn = 7
const rowHeight = 40
const width = 640
const nodeWidth = 190

export function LinkGraph({ device }: { device: ShownDevice }) {
  const { accounts, numbers, unknownAccounts, unknownNumbers } = device
  const nodes: Node[] = [
    ...accounts.map(({ userId, saidBy, trusted, ...times }) => ({
      kind: 'account' as const,
      name: userId,
      isHint: saidBy === 'page',
      isTrusted: trusted,
      ...times,
    })),
    ...numbers.map(({ phoneNumber, saidBy, ...times }) => ({
      kind: 'number' as const,
      name: phoneNumber,
      isHint: saidBy === 'page',
      isTrusted: false,
      ...times,
    })),
  ]
  return (
    <>
      {nodes.length > 0 && <Drawing nodes={nodes} />}
      {nodes.length > 0 && <LinkTable nodes={nodes} />}
      {unknownAccounts + unknownNumbers > 0 && (
        <p className="dim link-note">
          {[counted(unknownAccounts, 'more account'), counted(unknownNumbers, 'more number')]
            .filter(Boolean)
            .join(' and ')}{' '}
          of the last 28 days: not known here, because only keyed hashes are stored.
        </p>
      )}
      {nodes.length === 0 && unknownAccounts + unknownNumbers === 0 && (
        <p className="dim link-note">No account and no number was seen with this device.</p>
      )}
    </>
  )
}

/** As it is shown: an account is an id of any kind. */
const textOf = ({ kind, name }: Pick<Node, 'kind' | 'name'>) => (kind === 'number' ? phoneText(name) : name)

const counted = (count: number, what: string) => (count === 0 ? '' : `${count} ${what}${count === 1 ? '' : 's'}`)

function Drawing({ nodes }: { nodes: readonly Node[] }) {
  const columns = (['account', 'number'] as const).map((kind) =>
    nodes.filter((node) => node.kind === kind).slice(0, mostDrawn),
  )
  const rows = Math.max(2, ...columns.map((column) => column.length))
  const height = rows * rowHeight + 16
  const middle = { x: width / 2, y: height / 2 }
  return (
    <svg className="graph" viewBox={`0 0 ${width} ${height}`}>
      <title>Accounts and numbers of the device</title>
      {columns.map((column, side) =>
        column.map((node, index) => {
          const y = height / 2 + (index - (column.length - 1) / 2) * rowHeight
          const x = side === 0 ? nodeWidth : width - nodeWidth
          const bend = side === 0 ? 60 : -60
          return (
            <path
              key={`${node.kind} ${node.name} ${node.firstSeenAt}`}
              className={node.isHint ? 'graph-line hint' : 'graph-line'}
              d={`M${x} ${y}C${x + bend} ${y} ${middle.x - bend} ${middle.y} ${middle.x} ${middle.y}`}
            />
          )
        }),
      )}
      {columns.map((column, side) =>
        column.map((node, index) => {
          const y = height / 2 + (index - (column.length - 1) / 2) * rowHeight
          return (
            <Box
              key={`${node.kind} ${node.name} ${node.firstSeenAt}`}
              node={node}
              x={side === 0 ? 1 : width - nodeWidth - 1}
              y={y}
            />
          )
        }),
      )}
      <g className="graph-device">
        <circle cx={middle.x} cy={middle.y} r={25} />
        <path
          transform={`translate(${middle.x - 11} ${middle.y - 11}) scale(1.375)`}
          d="M2.5 3h11v7.5h-11zM5.5 13.5h5M8 10.5v3"
        />
      </g>
    </svg>
  )
}

const linkOf = (kind: Node['kind'], name: string) => ({
  to: kind === 'account' ? '/user' : '/number',
  hash: encodeURIComponent(name),
})

/** Some roles see numbers masked. */
const canOpen = (kind: Node['kind'], name: string) => kind === 'account' || /^\d+$/.test(name)

/** The same for a browser that opens it in another tab. */
const hrefOf = (kind: Node['kind'], name: string) => {
  const { to, hash } = linkOf(kind, name)
  return `/console${to}#${hash}`
}

function Box({ node: { kind, name, isTrusted }, x, y }: { node: Node; x: number; y: number }) {
  const open = useOpen()
  const text = textOf({ kind, name })
  return (
    <a
      className="graph-node"
      {...(canOpen(kind, name) && {
        href: hrefOf(kind, name),
        onClick: (clicked: MouseEvent) => open(clicked, kind, name),
      })}
    >
      <title>{`${kind === 'account' ? 'User' : 'Number'} ${text}`}</title>
      <rect x={x} y={y - 15} width={nodeWidth} height={30} rx={8} />
      <text x={x + 12} y={y + 4.5}>
        {text.length > 20 ? `${text.slice(0, 9)}…${text.slice(-8)}` : text}
      </text>
      {isTrusted && <circle className="graph-trusted" cx={x + nodeWidth - 13} cy={y} r={4} />}
    </a>
  )
}

/** Follows a link within the console; one with a modifier key opens a new tab. */
function useOpen() {
  const navigate = useNavigate()
  return (clicked: MouseEvent, kind: Node['kind'], name: string) => {
    if (clicked.ctrlKey || clicked.metaKey || clicked.shiftKey) return
    clicked.preventDefault()
    void navigate(linkOf(kind, name))
  }
}

function LinkTable({ nodes }: { nodes: readonly Node[] }) {
  const open = useOpen()
  return (
    <div className="link-table">
      <Table head={{ 'Seen with': 'name', 'First seen': 'wide', 'Last seen': '' }}>
        {nodes.map(({ kind, name, isHint, isTrusted, firstSeenAt, lastSeenAt }) => (
          <tr key={`${kind} ${name} ${firstSeenAt}`}>
            <td>
              {canOpen(kind, name) ? (
                <a href={hrefOf(kind, name)} onClick={(click) => open(click, kind, name)}>
                  {textOf({ kind, name })}
                </a>
              ) : (
                name
              )}{' '}
              {isTrusted && <Badge tone="green">Trusted</Badge>}
              <p className="dim">{isHint ? 'From a page or app: a hint' : 'From a backend or sign-in'}</p>
            </td>
            <td className="wide dim">
              <Time at={firstSeenAt} />
            </td>
            <td className="dim">
              <Time at={lastSeenAt} />
            </td>
          </tr>
        ))}
      </Table>
    </div>
  )
}
