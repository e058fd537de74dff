// Which icons are there? Line drawings on a grid of 16 pixels, in the colour of the text around them.

const drawings = {
  overview: 'M2.5 13.5h11M4 11V7.5M8 11V3M12 11V5.5',
  performance: 'M2.5 2.5v11h11M5 10.5l3-3.5 2.5 2 3-4.5',
  live: 'M2 8h2.5l2-5 3 10 2-5H14',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Zm3.6-1.4L14 14',
  reviews: 'M2.5 3.5h11v9h-11zM5 8l2 2 4-4',
  rules: 'M3 4h10M3 8h6M3 12h8M12 7v4M10 9h4',
  lists: 'M5.5 4H14M5.5 8H14M5.5 12H14M2 4h.5M2 8h.5M2 12h.5',
  apps: 'M2.5 2.5h4v4h-4zM9.5 2.5h4v4h-4zM2.5 9.5h4v4h-4zM9.5 9.5h4v4h-4z',
  webhooks: 'M8 6.5a2 2 0 1 0-1.7-1M8 6.5l2.5 4.5M6.3 5.5 4 10M4 13a2 2 0 1 0 1.8-3M12 13a2 2 0 1 0-1.5-3.4M6 12h4',
  privacy: 'M8 1.75 13 3.5v4c0 3.2-2 5.5-5 6.75-3-1.25-5-3.55-5-6.75v-4zM6 8l1.5 1.5L10.25 6.5',
  system: 'M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.5M5 11h.5',
  audit: 'M3.5 2h9v12h-9zM6 5.25h4M6 8h4M6 10.75h2',
  account: 'M8 8a2.75 2.75 0 1 0 0-5.5A2.75 2.75 0 0 0 8 8ZM2.75 13.5c.5-2.5 2.6-3.75 5.25-3.75s4.75 1.25 5.25 3.75',
  passkey: 'M5.25 10.5a3.25 3.25 0 1 0 0-6.5 3.25 3.25 0 0 0 0 6.5ZM8.5 7.25h6v2.5M12 7.25v2M5.25 7.2v.1',
  people:
    'M6 8a2.25 2.25 0 1 0 0-4.5A2.25 2.25 0 0 0 6 8ZM1.75 13c.4-2.1 2-3.1 4.25-3.1s3.85 1 4.25 3.1M10.5 3.6a2.25 2.25 0 0 1 0 4.3M11.5 10c1.6.3 2.5 1.3 2.75 3',
  more: 'M3.5 7.6a.4.4 0 1 0 0 .8.4.4 0 0 0 0-.8ZM8 7.6a.4.4 0 1 0 0 .8.4.4 0 0 0 0-.8ZM12.5 7.6a.4.4 0 1 0 0 .8.4.4 0 0 0 0-.8Z',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  close: 'm4 4 8 8M12 4l-8 8',
  check: 'm3 8.5 3 3 7-7',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  down: 'm4.5 6.5 3.5 3.5 3.5-3.5',
  right: 'm6.5 4.5 3.5 3.5-3.5 3.5',
  left: 'm9.5 4.5-3.5 3.5 3.5 3.5',
  phone: 'M4.5 1.75h7v12.5h-7zM7 12h2',
  device: 'M2.5 3h11v7.5h-11zM5.5 13.5h5M8 10.5v3',
  login: 'M6.5 2.5h7v11h-7M2.5 8h7M7 5.5 9.5 8 7 10.5',
  email: 'M2 3.5h12v9H2zM2 4l6 5 6-5',
  user: 'M8 8a2.75 2.75 0 1 0 0-5.5A2.75 2.75 0 0 0 8 8ZM2.75 13.5c.5-2.5 2.6-3.75 5.25-3.75s4.75 1.25 5.25 3.75',
  warning: 'M8 2.5 14.2 13.5H1.8zM8 6.5v3.25M8 11.6v.2',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M5 3.25v9.5L12.5 8z',
  sun: 'M8 10.75a2.75 2.75 0 1 0 0-5.5 2.75 2.75 0 0 0 0 5.5ZM8 1.5v1.25M8 13.25v1.25M1.5 8h1.25M13.25 8h1.25M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5Z',
  external: 'M6.5 3.5h-4v10h10v-4M9.5 2.5h4v4M13.5 2.5 7.5 8.5',
} as const
export type IconName = keyof typeof drawings

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={drawings[name]} />
    </svg>
  )
}
