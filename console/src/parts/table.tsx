// How is a list of like things laid out? As a table; a column may be a number, or wait for a wide screen.

import type { ReactNode } from 'react'

type Column = '' | 'name' | 'wide' | 'number' | 'number wide' | 'hidden'

interface TableProps {
  /** Titles with the class of their column. `name`: what the row is about; `hidden`: only a screen reader says the title. */
  head: Readonly<Record<string, Column>>
  className?: string
  /** The rows. */
  children: ReactNode
}

export function Table({ head, className = '', children }: TableProps) {
  return (
    <table className={`table ${className}`.trimEnd()}>
      <thead>
        <tr>
          {Object.entries(head).map(([title, column]) => (
            <th key={title} {...(column !== '' && column !== 'hidden' && { className: column })}>
              {column === 'hidden' ? <span className="visually-hidden">{title}</span> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}
