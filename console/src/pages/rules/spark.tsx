// How did a count go? A small line, without axes; the figure beside it says the rest.

import './rule-lines.css'

const [width, height] = [44, 16]

export function Spark({ counts, isLarge = false }: { counts: readonly number[]; isLarge?: boolean }) {
  const top = Math.max(1, ...counts)
  const step = width / Math.max(1, counts.length - 1)
  const points = counts.map((count, at) => `${at * step},${height - 1 - (count / top) * (height - 2)}`).join(' ')
  return (
    <svg
      className={isLarge ? 'spark large' : 'spark'}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {counts.length > 1 && <polyline points={points} />}
    </svg>
  )
}
