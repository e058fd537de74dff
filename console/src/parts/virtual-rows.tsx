// How does a table show a hundred thousand rows? Those in view, between two empty rows as high as the others; more are read near the end.

import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'

interface VirtualRowsProps<Row> {
  rows: readonly Row[]
  /** How many cells a row has. */
  columns: number
  /** About how high a row is. */
  rowHeight: number
  onEnd: () => void
  /** A `tr` with these attributes, by which its height is measured. */
  children: (
    row: Row,
    measured: { readonly ref: (row: Element | null) => void; readonly 'data-index': number },
  ) => ReactNode
}

/** For the body of a table. */
export function VirtualRows<Row>({ rows, columns, rowHeight, onEnd, children }: VirtualRowsProps<Row>) {
  const first = useRef<HTMLTableRowElement>(null)
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => {
    setOffset((first.current?.getBoundingClientRect().top ?? 0) + scrollY)
  }, [])
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan: 10,
    scrollMargin: offset,
  })
  const shown = virtual.getVirtualItems()
  const isAtEnd = (shown.at(-1)?.index ?? 0) >= rows.length - 20
  useEffect(() => {
    if (isAtEnd) onEnd()
  }, [isAtEnd, onEnd])
  const before = (shown[0]?.start ?? offset) - offset
  const after = virtual.getTotalSize() - ((shown.at(-1)?.end ?? offset) - offset)
  return (
    <>
      <tr ref={first} className="virtual-space" style={{ height: before }}>
        <td colSpan={columns} />
      </tr>
      {shown.map(({ index }) => children(rows[index]!, { ref: virtual.measureElement, 'data-index': index }))}
      <tr className="virtual-space" style={{ height: Math.max(0, after) }}>
        <td colSpan={columns} />
      </tr>
    </>
  )
}
