// How does one get to what is behind a point of a chart? By a click; by keyboard the chart is one stop, and the arrows go from point to point.

import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'

interface ChartPointsProps {
  /** In the units of the chart; each point has the same share of its width. */
  size: readonly [width: number, height: number]
  /** What each point says, from left to right. */
  labels: readonly string[]
  onOpen: (index: number) => void
  /** What is drawn at a point. */
  children: (index: number) => ReactNode
}

export function ChartPoints({ size: [width, height], labels, onOpen, children }: ChartPointsProps) {
  const points = useRef<(SVGGElement | null)[]>([])
  const last = labels.length - 1
  const [chosen, setChosen] = useState(last)
  const current = Math.min(chosen, last)
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter') return onOpen(current)
    const to = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: last }[event.key]
    if (to === undefined) return
    event.preventDefault()
    points.current[Math.max(0, Math.min(last, to))]?.focus()
  }
  const step = width / labels.length
  return labels.map((label, index) => (
    // biome-ignore lint/a11y/useSemanticElements: a drawing has no anchor that a router knows
    <g
      // biome-ignore lint/suspicious/noArrayIndexKey: points are where they are in time
      key={index}
      ref={(point) => {
        points.current[index] = point
      }}
      className="chart-point"
      role="link"
      tabIndex={index === current ? 0 : -1}
      aria-label={label}
      onFocus={() => setChosen(index)}
      onKeyDown={press}
      onClick={() => onOpen(index)}
    >
      <title>{label}</title>
      <rect x={index * step} y="0" width={step} height={height} className="chart-hit" />
      {children(index)}
    </g>
  ))
}
